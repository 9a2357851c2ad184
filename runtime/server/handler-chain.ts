import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import { withAuthentication } from '../filters/authentication.ts';
import { withAuthorization } from '../filters/authorization.ts';
import { withCacheControl } from '../filters/cache-control.ts';
import { withCbor } from '../filters/cbor.ts';
import { withCompression } from '../filters/compression.ts';
import { withImpersonation } from '../filters/impersonation.ts';
import { withWatchLimit } from '../filters/limit-watches.ts';
import { withMetrics } from '../filters/metrics.ts';
import { withPanicRecovery } from '../filters/panic-recovery.ts';
import { withRequestInfo } from '../filters/request-info.ts';
import { withTimeout } from '../filters/timeout.ts';
import { withWaitGroup } from '../filters/wait-group.ts';
import { ApiContext, type ApiMiddleware } from '../http/context.ts';
import type { ErrorResponder } from '../http/error-response.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../observe/logger.ts';
import type { RequestMetrics } from '../observe/request-metrics.ts';
import type { RequestListener } from './connections.ts';

export interface HandlerChainOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly respondError: ErrorResponder;
  readonly active: RequestWaitGroup;
  readonly metrics: RequestMetrics;
  readonly serves: (info: RequestInfo) => boolean;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Open at once; 0 for no limit. */
  readonly watchesPerUser: number;
  /** Lets requests in as seats are free, or not; absent for no limits. */
  readonly limits?: ApiMiddleware;
  readonly compression: boolean;
  readonly cbor: boolean;
  /** Answers every request that comes through. */
  readonly endpoints: ApiMiddleware;
}

/**
 * Koa with a context of our own, and without its way of answering: `withPanicRecovery` answers every error, and endpoints write
 * their answers themselves.
 */
class Application extends Koa {
  constructor() {
    // an option that the types do not know
    super({ compose: inOrder } as object);
  }

  override createContext(req: IncomingMessage, res: ServerResponse): never {
    return new ApiContext(req, res) as never;
  }

  handleRequest(ctx: unknown, run: (ctx: unknown) => unknown): void {
    // until somebody says otherwise
    (ctx as ApiContext).res.statusCode = 404;
    run(ctx);
  }
}

/** The filters as one function. As Koa's own compose, but for what it makes for each filter of each request: a promise. */
function inOrder(filters: readonly ApiMiddleware[]): (ctx: ApiContext) => unknown {
  return (ctx) => {
    let at = 0;
    const next = (): unknown => (at < filters.length ? filters[at++](ctx, next) : undefined);
    return next();
  };
}

/** THE order of the filters: what a request meets, from the socket inwards. (apiserver DefaultBuildHandlerChain) */
export function buildHandlerChain(parts: HandlerChainOptions): RequestListener {
  const { clock, logger } = parts;
  const chain: readonly ApiMiddleware[] = [
    withPanicRecovery(parts.respondError, (error) => logger.debug({ err: error }, 'connection failed')),
    withRequestInfo(clock),
    ...(parts.cbor ? [withCbor] : []),
    withWaitGroup(parts.active),
    withMetrics(parts.metrics, parts.serves),
    withCacheControl,
    withTimeout(clock, parts.requestTimeout, parts.respondError),
    withAuthentication(parts.authenticator, logger),
    withImpersonation(parts.authorizer),
    ...(parts.watchesPerUser > 0 ? [withWatchLimit(parts.watchesPerUser)] : []),
    ...(parts.limits ? [parts.limits] : []),
    withAuthorization(parts.authorizer),
    ...(parts.compression ? [withCompression] : []),
    parts.endpoints,
  ];
  const app = new Application();
  for (const filter of chain) app.use(filter as unknown as Koa.Middleware);
  return app.callback() as RequestListener;
}
