import type { ErrorResponder } from '../http/error-response.ts';
import type { ApiMiddleware } from '../http/state.ts';

/** Every error of the filters and endpoints behind ends here, as a Status. */
export function recover(respond: ErrorResponder): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      respond(ctx, error);
    }
  };
}
