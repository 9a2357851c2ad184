import type { Clock } from './clock.ts';

/** The clock of a server. */
export interface ServerClock extends Clock {
  /** The clock stands still until it is advanced. */
  readonly isManual: boolean;
  /**
   * Advances the time without waiting. Due work runs in order, each timer at its time and with all of its consequences.
   * Work under way runs first. Resolves when the server has nothing left to do.
   *
   * @param duration milliseconds, or Go's notation: `90s`, `1h30m`
   * @throws UnavailableControlError if the server was not started with `clock: 'manual'`, Error for an invalid
   *   duration
   */
  advance(duration: string | number): Promise<void>;
}

/** Reports whether `startServer` made the clock. Otherwise its caller did. */
export const isServerClock = (clock: Clock): clock is ServerClock => 'isManual' in clock;
