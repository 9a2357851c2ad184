import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { AccessMetrics } from '../filters/access-metrics.ts';
import { type AuditFilterOptions, withAudit, withFailedRequestAudit } from '../filters/audit.ts';
import { withAuthentication } from '../filters/authentication.ts';
import { withAuthorization } from '../filters/authorization.ts';
import { withConstrainedImpersonation } from '../filters/constrained-impersonation.ts';
import { withCORS } from '../filters/cors.ts';
import { withProbabilisticGoaway } from '../filters/goaway.ts';
import { withImpersonation } from '../filters/impersonation.ts';
import { withWatchLimit } from '../filters/limit-watches.ts';
import { withMetrics } from '../filters/metrics.ts';
import { withPanicRecovery } from '../filters/panic-recovery.ts';
import { withRequestInfo } from '../filters/request-info.ts';
import { withCacheControl, withCbor, withCompression, withHSTS } from '../filters/response-defaults.ts';
import { withRetryAfter } from '../filters/retry-after.ts';
import { type StrictGroup, withStrictFields } from '../filters/strict-fields.ts';
import { withTimeout } from '../filters/timeout.ts';
import { withWaitGroup } from '../filters/wait-group.ts';
import { ApiContext, type ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';
import type { RequestMetrics } from '../http/metrics/request-metrics.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../machinery/logger.ts';
import type { Random } from '../machinery/random.ts';
import type { RequestListener } from './connections.ts';

export interface HandlerChainOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Decides when requests begin. Absent for at once. */
  readonly requestOrder?: ApiMiddleware | undefined;
  readonly logger: Logger;
  readonly respondError: ErrorResponder;
  readonly waitGroup: RequestWaitGroup;
  readonly metrics: { readonly requests: RequestMetrics; readonly access: AccessMetrics };
  /** Reports whether the path is served, and so has metrics of its own. */
  readonly serves: (info: RequestInfo) => boolean;
  /** Absent if nothing is audited. */
  readonly audit?: AuditFilterOptions | undefined;
  readonly authenticator: Authenticator;
  /**
   * An API group for tests. Its requests have no deadline, are not recorded and are exempt from faults. Default: none.
   */
  readonly exemptGroup?: StrictGroup | undefined;
  /** Records requests for tests. Absent if requests are not recorded. */
  readonly requestLog?: ApiMiddleware | undefined;
  /** Records requests in a file. Absent without a file. */
  readonly recording?: ApiMiddleware | undefined;
  /** Watches for the requests that a replay waits for. Absent without a replay. */
  readonly replay?: ApiMiddleware | undefined;
  /** See AuthenticationFilterOptions. */
  readonly closesUnauthenticated: boolean;
  /** See AuthenticationFilterOptions.isProxyHeader. */
  readonly isProxyHeader: (name: string) => boolean;
  readonly authorizer: Authorizer;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** The most open watches of one user; 0 for no limit. */
  readonly watchesPerUser: number;
  /** Priority and fairness, or the limit of requests in flight. Absent if requests are not limited. */
  readonly flowControl?: ApiMiddleware | undefined;
  readonly compression: boolean;
  /** See ServerOptions. */
  readonly corsAllowedOrigins: readonly string[];
  readonly strictTransportSecurityDirectives: readonly string[];
  readonly goawayChance: number;
  /** Reports whether to refuse requests because the server drains. Absent if requests are never refused. */
  readonly isDraining?: () => boolean;
  readonly cbor: boolean;
  /** Whether permissions for restricted impersonation exist. (ConstrainedImpersonation) */
  readonly constrainedImpersonation: boolean;
  /** Responds to every request that passes the filters. */
  readonly endpoints: ApiMiddleware;
}

/** Koa with ApiContext as its context. Endpoints write responses, and `withPanicRecovery` writes errors. */
class Application extends Koa {
  constructor(filters: () => readonly ApiMiddleware[]) {
    // the types lack this option
    super({ compose: () => inOrder(filters) } as object);
  }

  override createContext(req: IncomingMessage, res: ServerResponse): never {
    return new ApiContext(req, res) as never;
  }

  handleRequest(ctx: unknown, run: (ctx: unknown) => unknown): void {
    // Koa's default, which every response overrides
    (ctx as ApiContext).res.statusCode = 404;
    run(ctx);
  }
}

/**
 * Composes filters like Koa, but without a promise per filter and request. A request keeps the filters that it began
 * with.
 */
function inOrder(filtersNow: () => readonly ApiMiddleware[]): (ctx: ApiContext) => unknown {
  return (ctx) => {
    const filters = filtersNow();
    let at = 0;
    const next = (): unknown => filters[at++]?.(ctx, next);
    return next();
  };
}

export interface HandlerChain {
  readonly onRequest: RequestListener;
  /**
   * Adds a filter after impersonation, so that it sees the users that authorization sees. It applies to later requests,
   * except those for the exempt group.
   */
  addFilter(filter: ApiMiddleware): void;
}

/** Returns a filter that requests for the group skip. */
function exceptFor(group: string | undefined, filter: ApiMiddleware): ApiMiddleware {
  if (group === undefined) return filter;
  return (ctx, next) => (ctx.state.requestInfo.group === group ? next() : filter(ctx, next));
}

/** Builds the filters, in the order in which a request passes them. (DefaultBuildHandlerChain) */
export function buildHandlerChain(options: HandlerChainOptions): HandlerChain {
  const { clock, random, logger, audit, strictTransportSecurityDirectives: hsts } = options;
  const impersonation = withImpersonation(options.authorizer);
  const unlessExempt = (filter: ApiMiddleware): ApiMiddleware => exceptFor(options.exemptGroup?.name, filter);
  const toUser: readonly ApiMiddleware[] = [
    withPanicRecovery(options.respondError, (error) => logger.debug({ err: error }, 'connection failed')),
    withRequestInfo(clock, random),
    ...(options.requestOrder ? [options.requestOrder] : []),
    ...(options.cbor ? [withCbor] : []),
    ...(options.isDraining ? [withRetryAfter(options.isDraining)] : []),
    ...(hsts.length > 0 ? [withHSTS(hsts)] : []),
    ...(options.goawayChance > 0 ? [withProbabilisticGoaway(options.goawayChance, () => random.float('goaway'))] : []),
    withWaitGroup(options.waitGroup),
    withMetrics(options.metrics.requests, options.serves),
    withCacheControl,
    ...(audit ? [withFailedRequestAudit(audit)] : []),
    unlessExempt(withTimeout(clock, options.requestTimeout, options.respondError)),
    ...(options.corsAllowedOrigins.length > 0 ? [withCORS(options.corsAllowedOrigins)] : []),
    withAuthentication({ ...options, metrics: options.metrics.access }),
    ...(options.requestLog ? [unlessExempt(options.requestLog)] : []),
    ...(options.recording ? [options.recording] : []),
    ...(options.replay ? [options.replay] : []),
    ...(audit ? [withAudit(audit)] : []),
    options.constrainedImpersonation ? withConstrainedImpersonation(options.authorizer, impersonation) : impersonation,
  ];
  const behindUser: readonly ApiMiddleware[] = [
    ...(options.watchesPerUser > 0 ? [withWatchLimit(options.watchesPerUser)] : []),
    ...(options.flowControl ? [options.flowControl] : []),
    withAuthorization(options.authorizer, options.metrics.access),
    ...(options.compression ? [withCompression] : []),
    ...(options.exemptGroup === undefined ? [] : [withStrictFields(options.exemptGroup)]),
    options.endpoints,
  ];
  let chain = [...toUser, ...behindUser];
  return {
    onRequest: new Application(() => chain).callback() as RequestListener,
    addFilter(filter) {
      chain = [...chain.slice(0, toUser.length), unlessExempt(filter), ...chain.slice(toUser.length)];
    },
  };
}
