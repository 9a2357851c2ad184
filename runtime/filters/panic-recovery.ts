import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';

/**
 * Responds with a Status to every error that the filters and endpoints behind it throw. (apiserver WithPanicRecovery)
 *
 * @param report called with errors of responding itself, that is, with failures of the socket
 */
export function withPanicRecovery(respond: ErrorResponder, report: (error: unknown) => void): ApiMiddleware {
  return (ctx, next) => {
    try {
      const running = next();
      return running instanceof Promise ? running.catch((error) => recover(ctx, error)) : undefined;
    } catch (error) {
      return recover(ctx, error);
    }
  };

  function recover(ctx: ApiContext, error: unknown): void {
    // the client has the response of the timeout filter
    if (ctx.state?.isTimedOut) return;
    try {
      respond(ctx, error);
    } catch (failure) {
      report(failure);
    }
  }
}
