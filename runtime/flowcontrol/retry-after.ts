import type { Clock } from '../machinery/clock.ts';

/** Seconds. */
const longest = 32;

interface Drops {
  /** Refusals by second, oldest first; the current second is apart. */
  history: { second: number; count: number }[];
  second: number;
  count: number;
  retryAfter: number;
  raisedAt: number;
}

/**
 * How long refused clients should stay away from a level: twice as long when many were refused in that time, a second
 * less when few were, as TCP does with its window. (apiserver pkg/util/flowcontrol/dropped_requests_tracker.go)
 */
export class RetryAfter {
  readonly #clock: Clock;
  readonly #levels = new Map<string, Drops>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds; 1 at least. */
  of(level: string): number {
    return this.#levels.get(level)?.retryAfter ?? 1;
  }

  forget(level: string): void {
    this.#levels.delete(level);
  }

  noteRefusal(level: string): void {
    const second = Math.floor(this.#clock.now() / 1000);
    const drops = this.#levels.get(level);
    if (drops === undefined) {
      this.#levels.set(level, { history: [], second, count: 1, retryAfter: 1, raisedAt: 0 });
    } else if (drops.second === second) drops.count++;
    else {
      remember(drops);
      drops.second = second;
      drops.count = 1;
      adapt(drops);
    }
  }
}

function remember(drops: Drops): void {
  const kept = Math.min(2 * drops.retryAfter, longest);
  drops.history.push({ second: drops.second, count: drops.count });
  drops.history = drops.history.filter(({ second }) => drops.second - second <= kept);
}

/** Looks at the seconds before the current one, as many as clients are told to stay away. */
function adapt(drops: Drops): void {
  const { second: now, retryAfter } = drops;
  const recent = drops.history
    .filter(({ second }) => now - second <= retryAfter)
    .reduce((sum, { count }) => sum + count, 0);
  if (now - drops.raisedAt >= retryAfter && recent >= 3 * retryAfter) {
    drops.retryAfter = Math.min(2 * retryAfter, longest);
    drops.raisedAt = now;
  } else if (recent < retryAfter && retryAfter > 1) drops.retryAfter--;
}
