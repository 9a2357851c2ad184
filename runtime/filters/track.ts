import type { ActiveRequests } from '../http/active-requests.ts';
import type { ApiMiddleware } from '../http/state.ts';

/** Keeps the list of requests that shutdown ends or waits for. */
export function track(active: ActiveRequests): ApiMiddleware {
  return (ctx, next) => {
    ctx.state.whenOver(active.enter(ctx.state));
    return next();
  };
}
