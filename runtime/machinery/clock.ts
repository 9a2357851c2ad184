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
 * Returns a clock that never jumps and has fractions of milliseconds, for durations below a millisecond. Any other
 * clock than the system's is returned unchanged, so that tests control it.
 */
export function monotonicClock(clock: Clock): Clock {
  if (clock !== systemClock) return clock;
  const { timeOrigin } = performance;
  return { now: () => timeOrigin + performance.now(), after: (ms, callback) => clock.after(ms, callback) };
}
