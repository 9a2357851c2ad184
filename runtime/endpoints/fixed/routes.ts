import Router, { type RouterContext } from '@koa/router';
import { openIdConfigurationPath, openIdKeysPath } from '../../authentication/service-account/openid.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../../flowcontrol/dump.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import type { ApiContext, ApiMiddleware } from '../../http/context.ts';
import { queryValue } from '../../http/query-string.ts';
import { respondBytes, respondObject, respondText, sendBytes } from '../../http/respond.ts';
import { type RouteMediaTypes, requireRoute } from '../../http/route.ts';
import { pathMethodNotAllowed, pathNotFound } from '../../machinery/errors/status.ts';
import type { HealthCheck } from '../../machinery/health-check.ts';
import type { Logger } from '../../machinery/logger.ts';
import { HealthMetrics } from './health-metrics.ts';
import { HealthEndpoint } from './healthz.ts';
import type { MetricsPage } from './metrics-page.ts';
import { respondZpage, type Zpage } from './zpages.ts';

export interface RouteOptions {
  readonly logger: Logger;
  readonly metrics: MetricsPage;
  /** The source of debug dumps. Absent if priority and fairness is disabled. */
  readonly flowControl?: FlowControl | undefined;
  /** Checks of /healthz. */
  readonly health: readonly HealthCheck[];
  /** Checks of /livez. */
  readonly liveness: readonly HealthCheck[];
  /** Checks of /readyz. */
  readonly readiness: readonly HealthCheck[];
  readonly zpages: readonly Zpage[];
  /** The body of /version. */
  readonly version: object;
  /** Group-versions, for the list of paths at `/`. */
  readonly groupVersions: () => readonly { readonly group: string; readonly version: string }[];
  /** Handles discovery and the OpenAPI documents, and calls next for other paths. */
  readonly discovery: ApiMiddleware;
  /** OpenID discovery, with which others verify service account tokens. Absent if the issuer cannot have it. */
  readonly openId?: { configuration(): Promise<object>; keys(): Promise<object> } | undefined;
}

const openIdPaths = [openIdConfigurationPath, openIdKeysPath];

/** Paths that `/` lists, and that have metrics of their own. */
const fixedPaths = [...openIdPaths, '/healthz', '/livez', '/metrics', '/metrics/slis', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];

const metricsType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

type RouteHandler = (ctx: ApiContext, params: Record<string, string>, next: () => Promise<unknown>) => unknown;

/** Serves the fixed paths. (pkg/server/routes) */
export function fixedRoutes(options: RouteOptions): ApiMiddleware {
  // built on first use, because most requests are for resources
  let middleware: ApiMiddleware | undefined;
  return (ctx, next) => {
    middleware ??= new FixedRoutes(options).middleware();
    return middleware(ctx, next);
  };
}

class FixedRoutes {
  readonly #options: RouteOptions;
  readonly #router = new Router({ strict: true });

  constructor(options: RouteOptions) {
    this.#options = options;
  }

  middleware(): ApiMiddleware {
    const { discovery, flowControl, openId } = this.#options;
    this.#addHealth();
    this.#addIndexAndVersion();
    this.#addMetrics();
    if (flowControl) this.#addDumps(flowControl);
    this.#addOpenId();
    // the router needs only the members of Koa's context that ApiContext has
    const route = this.#router.routes() as unknown as ApiMiddleware;
    const routedPaths = ['/version', ...(openId === undefined ? [] : openIdPaths)];
    return (ctx) => route(ctx, () => discovery(ctx, async () => notFound(ctx, routedPaths)));
  }

  /** Routes all methods. */
  #all(path: string, handle: RouteHandler): void {
    this.#router.all(
      path,
      toMiddleware(async (...request) => void (await handle(...request))),
    );
  }

  /** Routes GET like a resource: paths below are errors of the API. */
  #get(path: string, mediaTypes: RouteMediaTypes, handle: RouteHandler): void {
    const checked: RouteHandler = (ctx, params, next) => {
      // the router takes HEAD for GET
      if (ctx.method !== 'GET') throw pathMethodNotAllowed();
      requireRoute(ctx, mediaTypes);
      return handle(ctx, params, next);
    };
    for (const place of [path, `${path}/`]) this.#router.register(place, ['GET'], toMiddleware(checked));
  }

  #addHealth(): void {
    const { health, liveness, readiness, logger } = this.#options;
    const metrics = new HealthMetrics();
    this.#all('/metrics/slis', (ctx) => respondMetrics(ctx, metrics.render()));
    for (const [path, checks] of [
      ['/healthz', health],
      ['/livez', liveness],
      ['/readyz', readiness],
    ] as const) {
      const endpoint = new HealthEndpoint({ path, checks, logger, metrics });
      this.#all(path, (ctx) => endpoint.respondAll(ctx));
      for (const check of checks) this.#all(`${path}/${check.name}`, (ctx) => endpoint.respondOne(ctx, check));
    }
  }

  #addIndexAndVersion(): void {
    const json = { mediaType: 'application/json', pretty: true } as const;
    for (const path of ['/', '/index.html']) {
      this.#all(path, (ctx) => respondObject(ctx, 200, { paths: this.#listedPaths() }, json));
    }
    const types = { produces: [json.mediaType], consumes: [json.mediaType] };
    this.#get('/version', types, (ctx) => respondObject(ctx, 200, this.#options.version, json));
  }

  #addMetrics(): void {
    const { metrics, zpages } = this.#options;
    this.#all('/metrics', async (ctx) => respondMetrics(ctx, await metrics.render()));
    for (const page of zpages) this.#all(page.path, (ctx) => respondZpage(ctx, page, this.#listedPaths()));
  }

  /** Adds the debug dumps of priority and fairness. As in upstream, `/` does not list them. */
  #addDumps(flowControl: FlowControl): void {
    const folder = '/debug/api_priority_and_fairness';
    this.#all(`${folder}/dump_priority_levels`, (ctx) => respondText(ctx, 200, dumpPriorityLevels(flowControl)));
    this.#all(`${folder}/dump_queues`, (ctx) => respondText(ctx, 200, dumpQueues(flowControl)));
    this.#all(`${folder}/dump_requests`, (ctx) => {
      const details = (queryValue(ctx.state.query, 'includeRequestDetails') ?? '') !== '';
      respondText(ctx, 200, dumpRequests(flowControl, details));
    });
  }

  #addOpenId(): void {
    const { openId } = this.#options;
    if (openId === undefined) return;
    const [json, keySet] = ['application/json', 'application/jwk-set+json'];
    this.#get(openIdConfigurationPath, { produces: [json] }, async (ctx) => {
      await respondPublicJson(ctx, json, await openId.configuration());
    });
    this.#get(openIdKeysPath, { produces: [keySet] }, async (ctx) => {
      await respondPublicJson(ctx, keySet, await openId.keys());
    });
  }

  #listedPaths(): string[] {
    const { groupVersions, health, liveness, readiness, zpages, openId } = this.#options;
    const paths = new Set(['/api', '/apis', '/apis/', '/openapi/v3/', ...fixedPaths]);
    if (openId === undefined) for (const path of openIdPaths) paths.delete(path);
    for (const { group, version } of groupVersions()) {
      if (group === '') paths.add(`/api/${version}`);
      else paths.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
    }
    for (const { name } of health) paths.add(`/healthz/${name}`);
    for (const { name } of liveness) paths.add(`/livez/${name}`);
    for (const { name } of readiness) paths.add(`/readyz/${name}`);
    for (const { path } of zpages) paths.add(path);
    return [...paths].sort();
  }
}

function toMiddleware(handle: RouteHandler): (ctx: RouterContext, next: () => Promise<unknown>) => unknown {
  // the router passes on the context that it was called with
  return (ctx, next) => handle(ctx as unknown as ApiContext, ctx.params as Record<string, string>, next);
}

/** (prometheus promhttp HandlerFor) */
function respondMetrics(ctx: ApiContext, text: string): void | Promise<void> {
  ctx.res.setHeader('Process-Start-Time-Unix', String(Math.floor(performance.timeOrigin / 1000)));
  return respondBytes(ctx, 200, metricsType, Buffer.from(text));
}

async function respondPublicJson(ctx: ApiContext, contentType: string, document: object): Promise<void> {
  ctx.res.setHeader('Cache-Control', 'public, max-age=3600');
  await respondBytes(ctx, 200, contentType, Buffer.from(JSON.stringify(document)));
}

/** Reports whether the path has metrics of its own. */
export function isFixedPath(path: string): boolean {
  return fixedPaths.includes(path) || path === '/api' || path === '/apis';
}

/** @param routedPaths paths that are routed like resources */
function notFound(ctx: ApiContext, routedPaths: readonly string[]): void {
  const { path } = ctx.state.requestInfo;
  const root = routedPaths.find((one) => path === one || path.startsWith(`${one}/`));
  if (root !== undefined) throw path.length <= root.length + 1 ? pathMethodNotAllowed() : pathNotFound();
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
  sendBytes(ctx, 404, 'text/plain; charset=utf-8', Buffer.from('404 page not found\n'));
}
