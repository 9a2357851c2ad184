import type { ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';

/** Every error of the filters and endpoints behind ends here, as a Status. */
export function recover(respond: ErrorResponder): ApiMiddleware {
  return (ctx, next) => {
    const fail = (error: unknown): void => {
      // a client that was told that its time is up is not told what became of the rest
      if (!ctx.state?.isTimedOut) respond(ctx, error);
    };
    try {
      const running = next();
      return running instanceof Promise ? running.catch(fail) : undefined;
    } catch (error) {
      return fail(error);
    }
  };
}
