import type { Clock } from './clock.ts';

/** The clock of a server, which everything that it does depends on. */
export interface ServerClock extends Clock {
  /** Whether it stands still until it is advanced. */
  readonly isManual: boolean;
  /**
   * Lets time pass without waiting for it. Whatever is due on the way happens in order, each at its time, and with all that it
   * brings about; so does what is under way before. Resolves when the server has nothing left to do.
   *
   * @param duration milliseconds, or as Go writes it: `90s`, `1h30m`
   * @throws UnavailableControlError if the server was not started with `clock: 'manual'`, Error for an invalid duration
   */
  advance(duration: string | number): Promise<void>;
}

/** Whether it is one that `startServer` has made, and not one of the caller's. */
export const isServerClock = (clock: Clock): clock is ServerClock => 'isManual' in clock;
