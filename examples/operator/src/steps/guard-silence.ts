import type { Clock } from '../clock.ts';

export interface Silence {
  heard(): void;
  end(): void;
}

// servers send a bookmark every minute
const longest = 3 * 60_000;

/** A watch that says nothing for three minutes has nobody at the other end. */
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
