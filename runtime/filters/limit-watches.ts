import type { ApiMiddleware } from '../http/context.ts';
import { isLongRunning } from '../http/request-info.ts';
import type { CompletionListener } from '../http/request-state.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { respondTooManyRequests } from './too-many-requests.ts';

/** Seconds that a client is asked to stay away: watches are not over in a moment. */
const retryAfterSeconds = 5;

/**
 * Refuses watches, and other requests without an end, beyond `limit` of one user with 429. Upstream has no such limit: its
 * flow control lets a watch's seat go once the watch has begun, and so does ours.
 */
export function withWatchLimit(limit: number): ApiMiddleware {
  const open = new Map<string, number>();
  return (ctx, next) => {
    const { state } = ctx;
    if (!isLongRunning(state.requestInfo)) return next();
    const { name } = state.user as UserInfo;
    const count = open.get(name) ?? 0;
    if (count >= limit) return respondTooManyRequests(ctx, retryAfterSeconds);
    open.set(name, count + 1);
    state.onCompletion(new OpenWatch(open, name));
    return next();
  };
}

class OpenWatch implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #open: Map<string, number>;
  readonly #name: string;

  constructor(open: Map<string, number>, name: string) {
    this.#open = open;
    this.#name = name;
  }

  completed(): void {
    const left = (this.#open.get(this.#name) ?? 1) - 1;
    if (left > 0) this.#open.set(this.#name, left);
    else this.#open.delete(this.#name);
  }
}
