import { type Authenticator, isAuthenticationError } from '../authentication/authenticator.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { removeHeaders } from '../http/remove-headers.ts';
import { unauthorized } from '../machinery/errors/status.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { AccessMetrics } from '../observe/access-metrics.ts';
import type { Logger } from '../observe/logger.ts';

export interface AuthenticationFilterOptions {
  readonly authenticator: Authenticator;
  /** The headers that only a front proxy may set: no request has them behind this filter. */
  readonly isProxyHeader: (name: string) => boolean;
  readonly logger: Logger;
  readonly metrics: AccessMetrics;
}

/** Sets the user of the request, or responds with 401. The reason goes to the log only. (apiserver WithAuthentication) */
export function withAuthentication(options: AuthenticationFilterOptions): ApiMiddleware {
  const { authenticator, isProxyHeader, logger, metrics } = options;
  return (ctx, next) => {
    let authenticated: ReturnType<Authenticator['authenticate']>;
    try {
      authenticated = authenticator.authenticate(ctx.req, ctx.state);
    } catch (error) {
      return refuse(ctx, error);
    }
    if (!(authenticated instanceof Promise)) return continueAs(ctx, authenticated, next);
    return authenticated.then(
      (user) => continueAs(ctx, user, next),
      (error) => refuse(ctx, error),
    );
  };

  function continueAs(ctx: ApiContext, user: UserInfo | undefined, next: Next): unknown {
    if (!user) {
      metrics.notAuthenticated('failure');
      throw unauthorized();
    }
    metrics.authenticated(user.name);
    ctx.state.user = user;
    if (hasProxyHeader(ctx.req.rawHeaders)) removeHeaders(ctx.req, isProxyHeader);
    return next();
  }

  function hasProxyHeader(rawHeaders: readonly string[]): boolean {
    for (let at = 0; at < rawHeaders.length; at += 2) if (isProxyHeader(rawHeaders[at])) return true;
    return false;
  }

  function refuse({ state }: ApiContext, error: unknown): never {
    metrics.notAuthenticated('error');
    if (!isAuthenticationError(error)) throw error;
    logger.info({ path: state.requestInfo.path, auditId: state.auditId, why: error.message }, 'not authenticated');
    throw unauthorized();
  }
}
