import Koa from 'koa';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import { authenticate } from '../filters/authenticate.ts';
import { authorize } from '../filters/authorize.ts';
import { cacheControl } from '../filters/cache-control.ts';
import { compress } from '../filters/compress.ts';
import { impersonate } from '../filters/impersonate.ts';
import { measure } from '../filters/measure.ts';
import { offerCbor } from '../filters/offer-cbor.ts';
import { recover } from '../filters/recover.ts';
import { requestInfo } from '../filters/request-info.ts';
import { timeout } from '../filters/timeout.ts';
import { track } from '../filters/track.ts';
import type { ActiveRequests } from '../http/active-requests.ts';
import type { ErrorResponder } from '../http/error-response.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { ApiMiddleware, RequestState } from '../http/state.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../observe/logger.ts';
import type { RequestMetrics } from '../observe/request-metrics.ts';
import type { RequestListener } from './listen.ts';

export interface ChainParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly respondError: ErrorResponder;
  readonly active: ActiveRequests;
  readonly metrics: RequestMetrics;
  readonly serves: (info: RequestInfo) => boolean;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Lets requests in as seats are free, or not; absent for no limits. */
  readonly limits?: ApiMiddleware;
  readonly compression: boolean;
  readonly cbor: boolean;
  /** Answers every request that comes through. */
  readonly endpoints: ApiMiddleware;
}

/**
 * Koa without its own way of answering: `recover` answers every error, endpoints write their answers themselves, and
 * what Koa attaches to each response to do so costs as much as all filters together.
 */
class Application extends Koa<RequestState> {
  handleRequest(ctx: Koa.ParameterizedContext<RequestState>, run: (ctx: unknown) => Promise<void>): Promise<void> {
    ctx.res.statusCode = 404;
    // nothing but the socket's own failures comes here
    return run(ctx).catch((error) => void this.emit('error', error, ctx));
  }
}

/** THE order of the filters: what a request meets, from the socket inwards. (apiserver DefaultBuildHandlerChain) */
export function buildChain(parts: ChainParts): RequestListener {
  const { clock, logger } = parts;
  const chain: readonly ApiMiddleware[] = [
    recover(parts.respondError),
    requestInfo(clock),
    ...(parts.cbor ? [offerCbor] : []),
    track(parts.active),
    measure(parts.metrics, parts.serves),
    cacheControl,
    timeout(clock, parts.requestTimeout),
    authenticate(parts.authenticator, logger),
    impersonate(parts.authorizer),
    ...(parts.limits ? [parts.limits] : []),
    authorize(parts.authorizer),
    ...(parts.compression ? [compress] : []),
    parts.endpoints,
  ];
  const app = new Application();
  app.on('error', (error) => logger.debug({ err: error }, 'connection failed'));
  for (const filter of chain) app.use(filter);
  return app.callback() as RequestListener;
}
