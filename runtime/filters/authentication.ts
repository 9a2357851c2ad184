import { type Authenticator, isAuthenticationError } from '../auth/authenticator.ts';
import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import { unauthorized } from '../machinery/status.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { Logger } from '../observe/logger.ts';

/** Finds out who is asking, or answers 401. Why is for the log only. */
export function withAuthentication(authenticator: Authenticator, logger: Logger): ApiMiddleware {
  return (ctx, next) => {
    let found: ReturnType<Authenticator['authenticate']>;
    try {
      found = authenticator.authenticate(ctx.req, ctx.state);
    } catch (error) {
      return refuse(ctx, error);
    }
    if (!(found instanceof Promise)) return enter(ctx, found, next);
    return found.then(
      (user) => enter(ctx, user, next),
      (error) => refuse(ctx, error),
    );
  };

  function enter(ctx: ApiContext, user: UserInfo | undefined, next: () => unknown): unknown {
    if (!user) throw unauthorized();
    ctx.state.user = user;
    return next();
  }

  function refuse({ state }: ApiContext, error: unknown): never {
    if (!isAuthenticationError(error)) throw error;
    logger.info({ path: state.requestInfo.path, auditId: state.auditId, why: error.message }, 'not authenticated');
    throw unauthorized();
  }
}
