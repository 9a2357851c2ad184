import { type Clock, systemClock } from '../machinery/clock.ts';

/**
 * The clock that shares are aggregates with: it never jumps, and tells fractions of milliseconds, since most requests take
 * no longer than that. Clocks of tests stay what they are.
 */
export function monotonic(clock: Clock): Clock {
  if (clock !== systemClock) return clock;
  const { timeOrigin } = performance;
  return { now: () => timeOrigin + performance.now(), after: (ms, callback) => clock.after(ms, callback) };
}
