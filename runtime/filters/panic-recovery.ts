import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';

/**
 * Every error of the filters and endpoints behind ends here, as a Status.
 *
 * @param report told of what goes wrong in telling the client: nothing but the socket's own failures
 */
export function withPanicRecovery(respond: ErrorResponder, report: (error: unknown) => void): ApiMiddleware {
  return (ctx, next) => {
    try {
      const running = next();
      return running instanceof Promise ? running.catch((error) => fail(ctx, error)) : undefined;
    } catch (error) {
      return fail(ctx, error);
    }
  };

  function fail(ctx: ApiContext, error: unknown): void {
    // a client that was told that its time is up is not told what became of the rest
    if (ctx.state?.isTimedOut) return;
    try {
      respond(ctx, error);
    } catch (failure) {
      report(failure);
    }
  }
}
