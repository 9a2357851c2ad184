import { type Authenticator, isAuthenticationError } from '../authentication/authenticator.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { closeConnection } from '../http/go-away.ts';
import { removeHeaders } from '../http/remove-headers.ts';
import { unauthorized } from '../machinery/errors/status.ts';
import type { Logger } from '../machinery/logger.ts';
import { anonymousUserName, type UserInfo, unauthenticatedGroup } from '../machinery/user-info.ts';
import type { AccessMetrics } from './access-metrics.ts';

export interface AuthenticationFilterOptions {
  readonly authenticator: Authenticator;
  /** Reports whether only a front proxy may set a header. Requests behind this filter have none of these headers. */
  readonly isProxyHeader: (name: string) => boolean;
  /** Ends an HTTP/2 connection after one unauthenticated request. (UnauthenticatedHTTP2DOSMitigation) */
  readonly closesUnauthenticated: boolean;
  readonly logger: Logger;
  readonly metrics: AccessMetrics;
}

/** Sets the user of the request, or responds with 401. The reason goes to the log only. (apiserver WithAuthentication) */
export function withAuthentication(options: AuthenticationFilterOptions): ApiMiddleware {
  const { authenticator, closesUnauthenticated, isProxyHeader, logger, metrics } = options;
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
    if (closesUnauthenticated && ctx.req.httpVersionMajor === 2 && (!user || isAnonymous(user))) closeConnection(ctx);
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
    for (let at = 0; at < rawHeaders.length; at += 2) if (isProxyHeader(rawHeaders[at] ?? '')) return true;
    return false;
  }

  function refuse(ctx: ApiContext, error: unknown): never {
    const { state } = ctx;
    metrics.notAuthenticated('error');
    if (closesUnauthenticated && ctx.req.httpVersionMajor === 2) closeConnection(ctx);
    if (!isAuthenticationError(error)) throw error;
    logger.info({ path: state.requestInfo.path, auditId: state.auditId, why: error.message }, 'not authenticated');
    throw unauthorized();
  }
}

const isAnonymous = ({ name, groups }: UserInfo): boolean => name === anonymousUserName || groups.includes(unauthenticatedGroup);
