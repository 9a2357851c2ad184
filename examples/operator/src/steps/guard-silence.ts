import type { Clock } from '../clock.ts';

export interface Silence {
  heard(): void;
  end(): void;
}

// servers send a bookmark every minute
const longest = 3 * 60_000;

/** Gives up a watch after three minutes without an event: its connection is dead. */
export function guardSilence(clock: Clock, giveUp: () => void): Silence {
  let end = clock.after(longest, giveUp);
  return {
    heard() {
      end();
      end = clock.after(longest, giveUp);
    },
    end: () => end(),
  };
}
