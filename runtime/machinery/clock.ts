/** The time as a dependency, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Runs `callback` once after `ms` milliseconds. Does not keep the process alive. The returned function cancels it.
   */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * A clock that never jumps and has fractions of milliseconds, for durations that are often shorter than one. Returns any
 * clock but the system's as it is, so that tests can own this one too.
 */
export function monotonicClock(clock: Clock): Clock {
  if (clock !== systemClock) return clock;
  const { timeOrigin } = performance;
  return { now: () => timeOrigin + performance.now(), after: (ms, callback) => clock.after(ms, callback) };
}
