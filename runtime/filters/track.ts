import type { ActiveRequests } from '../http/active-requests.ts';
import type { ApiMiddleware } from '../http/context.ts';

/** Keeps the list of requests that shutdown ends or waits for. */
export function track(active: ActiveRequests): ApiMiddleware {
  return (ctx, next) => {
    const { state } = ctx;
    active.enter(state);
    state.whenOver(() => active.leave(state));
    return next();
  };
}
