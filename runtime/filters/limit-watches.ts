import type { ApiMiddleware } from '../http/context.ts';
import { isLongRunning } from '../http/request-info.ts';
import { type CompletionListener, requireUser } from '../http/request-state.ts';
import { respondTooManyRequests } from './max-in-flight.ts';

/** How long a rejected client should wait, in seconds. Watches last long. */
const retryAfterSeconds = 5;

/**
 * Rejects watches and other long-running requests beyond `limit` for one user with 429. Upstream has no such limit, and flow
 * control, there as here, releases the seat of a watch once the watch is initialized.
 */
export function withWatchLimit(limit: number): ApiMiddleware {
  const openByUser = new Map<string, number>();
  return (ctx, next) => {
    const { state } = ctx;
    if (!isLongRunning(state.requestInfo)) return next();
    const { name } = requireUser(state);
    const count = openByUser.get(name) ?? 0;
    if (count >= limit) return respondTooManyRequests(ctx, retryAfterSeconds);
    openByUser.set(name, count + 1);
    state.onCompletion(new OpenWatch(openByUser, name));
    return next();
  };
}

class OpenWatch implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #openByUser: Map<string, number>;
  readonly #user: string;

  constructor(openByUser: Map<string, number>, user: string) {
    this.#openByUser = openByUser;
    this.#user = user;
  }

  completed(): void {
    const left = (this.#openByUser.get(this.#user) ?? 1) - 1;
    if (left > 0) this.#openByUser.set(this.#user, left);
    else this.#openByUser.delete(this.#user);
  }
}
