import type { Clock } from '../machinery/clock.ts';

/** The longest Retry-After, in seconds. (maxRetryAfter) */
const maxRetryAfter = 32;

interface DroppedRequests {
  /** Dropped requests by second, oldest first, without the current second. */
  history: { second: number; count: number }[];
  second: number;
  count: number;
  /** Seconds. */
  retryAfter: number;
  /** The second in which `retryAfter` was last raised. */
  raisedAt: number;
}

/**
 * Decides how long clients wait before they retry a dropped request. The delay of a level doubles while many requests
 * are dropped, and falls by a second while few are, as TCP adapts its congestion window. (apiserver
 * pkg/util/flowcontrol/dropped_requests_tracker.go)
 */
export class DroppedRequestsTracker {
  readonly #clock: Clock;
  readonly #levels = new Map<string, DroppedRequests>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns seconds, at least 1. */
  retryAfter(priorityLevel: string): number {
    return this.#levels.get(priorityLevel)?.retryAfter ?? 1;
  }

  removePriorityLevel(priorityLevel: string): void {
    this.#levels.delete(priorityLevel);
  }

  recordDroppedRequest(priorityLevel: string): void {
    const second = Math.floor(this.#clock.now() / 1000);
    const dropped = this.#levels.get(priorityLevel);
    if (dropped === undefined) {
      this.#levels.set(priorityLevel, { history: [], second, count: 1, retryAfter: 1, raisedAt: 0 });
    } else if (dropped.second === second) dropped.count++;
    else {
      appendToHistory(dropped);
      dropped.second = second;
      dropped.count = 1;
      updateRetryAfter(dropped);
    }
  }
}

function appendToHistory(dropped: DroppedRequests): void {
  const retention = Math.min(2 * dropped.retryAfter, maxRetryAfter);
  dropped.history.push({ second: dropped.second, count: dropped.count });
  dropped.history = dropped.history.filter(({ second }) => dropped.second - second <= retention);
}

/** Counts the drops of as many seconds as clients are asked to wait. */
function updateRetryAfter(dropped: DroppedRequests): void {
  const { second: now, retryAfter } = dropped;
  const recent = dropped.history.filter(({ second }) => now - second <= retryAfter).reduce((sum, { count }) => sum + count, 0);
  if (now - dropped.raisedAt >= retryAfter && recent >= 3 * retryAfter) {
    dropped.retryAfter = Math.min(2 * retryAfter, maxRetryAfter);
    dropped.raisedAt = now;
  } else if (recent < retryAfter && retryAfter > 1) dropped.retryAfter--;
}
