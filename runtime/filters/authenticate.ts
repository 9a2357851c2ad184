import { type Authenticator, isAuthenticationError } from '../auth/authenticator.ts';
import type { ApiMiddleware } from '../http/state.ts';
import { unauthorized } from '../machinery/status.ts';
import type { Logger } from '../observe/logger.ts';

/** Finds out who is asking, or answers 401. Why is for the log only. */
export function authenticate(authenticator: Authenticator, logger: Logger): ApiMiddleware {
  return async (ctx, next) => {
    const { state, req } = ctx;
    try {
      state.user = await authenticator.authenticate(req, (text) => state.warnings.push(text));
    } catch (error) {
      if (!isAuthenticationError(error)) throw error;
      logger.info({ path: state.requestInfo.path, auditId: state.auditId, why: error.message }, 'not authenticated');
      throw unauthorized();
    }
    if (!state.user) throw unauthorized();
    return next();
  };
}
