import Router, { type RouterContext } from '@koa/router';
import { openIdConfigurationPath, openIdKeysPath } from '../auth/service-account/openid.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../flowcontrol/dump.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import { firstOf } from '../http/query-string.ts';
import { respondBytes, respondObject, respondText, sendBytes } from '../http/respond.ts';
import { pathMethodNotAllowed, pathNotFound } from '../machinery/errors/status.ts';
import type { Logger } from '../observe/logger.ts';
import { renderProcessMetrics } from '../observe/process-metrics.ts';
import type { RequestMetrics } from '../observe/request-metrics.ts';
import { type HealthCheck, healthEndpoint } from './healthz.ts';

export interface RouteOptions {
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  /** For its metrics and dumps; absent if priority and fairness is disabled. */
  readonly flowControl?: FlowControl;
  /** Checks of /livez and /healthz. */
  readonly liveness: readonly HealthCheck[];
  /** Checks of /readyz. */
  readonly readiness: readonly HealthCheck[];
  /** The body of /version. */
  readonly version: object;
  /** Group-versions, for the list of paths at `/`. */
  readonly groupVersions: () => readonly { readonly group: string; readonly version: string }[];
  /** Handles discovery and the OpenAPI documents, and calls next for other paths. */
  readonly discovery: ApiMiddleware;
  /** OpenID discovery, with which others verify service account tokens. The configuration has the address of the keys. */
  readonly openId: { configuration(): Promise<object>; keys(): Promise<object> };
}

/** Paths that are routed like resources. */
const routedPaths = ['/version', openIdConfigurationPath, openIdKeysPath];

/** Paths that are listed at `/` and have metrics of their own. */
const fixedPaths = [
  ...[openIdConfigurationPath, openIdKeysPath],
  ...['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
];

/** Serves the fixed paths. (pkg/server/routes) */
export function fixedRoutes(options: RouteOptions): ApiMiddleware {
  const router = new Router({ strict: true });
  type Handler = (ctx: ApiContext, params: Record<string, string>, next: () => Promise<unknown>) => unknown;
  const run = (handle: Handler) => (ctx: RouterContext, next: () => Promise<unknown>) =>
    handle(ctx as unknown as ApiContext, ctx.params as Record<string, string>, next);
  // for all methods
  const all = (path: string, handle: Handler): void => {
    router.all(
      path,
      run(async (...request) => void (await handle(...request))),
    );
  };
  // like resources: only GET, and paths below are errors of the API
  const get = (path: string, handle: Handler): void => {
    for (const place of [path, `${path}/`]) router.register(place, ['GET'], run(handle));
  };
  for (const [path, checks] of [
    ['/healthz', options.liveness],
    ['/livez', options.liveness],
    ['/readyz', options.readiness],
  ] as const) {
    const health = healthEndpoint(path, checks, options.logger);
    all(path, (ctx) => health.all(ctx));
    all(`${path}/:check`, async (ctx, { check }, next) => (await health.one(ctx, check)) || next());
  }
  for (const path of ['/', '/index.html']) {
    all(path, (ctx) =>
      respondObject(ctx, 200, { paths: listedPaths(options) }, { mediaType: 'application/json', pretty: true }),
    );
  }
  get('/version', (ctx) => respondObject(ctx, 200, options.version, { mediaType: 'application/json', pretty: true }));
  all('/metrics', async (ctx) => {
    const flowControl = options.flowControl?.metrics.render() ?? '';
    const text =
      options.metrics.render(options.flowControl === undefined) + flowControl + (await renderProcessMetrics());
    await respondBytes(ctx, 200, 'text/plain; version=0.0.4; charset=utf-8', Buffer.from(text));
  });
  if (options.flowControl) addDumps(all, options.flowControl);
  const publish = async (ctx: ApiContext, contentType: string, document: object): Promise<void> => {
    ctx.res.setHeader('Cache-Control', 'public, max-age=3600');
    await respondBytes(ctx, 200, contentType, Buffer.from(JSON.stringify(document)));
  };
  const { openId } = options;
  get(openIdConfigurationPath, async (ctx) => publish(ctx, 'application/json', await openId.configuration()));
  get(openIdKeysPath, async (ctx) => publish(ctx, 'application/jwk-set+json', await openId.keys()));
  const route = router.routes() as unknown as ApiMiddleware;
  return (ctx) => route(ctx, () => options.discovery(ctx, () => notFound(ctx)));
}

/** Adds the debug dumps of priority and fairness. As upstream, `/` does not list them. */
function addDumps(all: (path: string, handle: (ctx: ApiContext) => unknown) => void, flowControl: FlowControl): void {
  const folder = '/debug/api_priority_and_fairness';
  all(`${folder}/dump_priority_levels`, (ctx) => respondText(ctx, 200, dumpPriorityLevels(flowControl)));
  all(`${folder}/dump_queues`, (ctx) => respondText(ctx, 200, dumpQueues(flowControl)));
  all(`${folder}/dump_requests`, (ctx) => {
    const details = (firstOf(ctx.state.query, 'includeRequestDetails') ?? '') !== '';
    respondText(ctx, 200, dumpRequests(flowControl, details));
  });
}

/** Whether the path has metrics of its own. */
export function isFixedPath(path: string): boolean {
  return fixedPaths.includes(path) || path === '/api' || path === '/apis';
}

async function notFound(ctx: ApiContext): Promise<void> {
  const { path } = ctx.state.requestInfo;
  const root = routedPaths.find((one) => path === one || path.startsWith(`${one}/`));
  if (root !== undefined) throw path.length <= root.length + 1 ? pathMethodNotAllowed() : pathNotFound();
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
  sendBytes(ctx, 404, 'text/plain; charset=utf-8', Buffer.from('404 page not found\n'));
}

function listedPaths({ groupVersions, liveness, readiness }: RouteOptions): string[] {
  const paths = new Set(['/api', '/apis', ...fixedPaths]);
  for (const { group, version } of groupVersions()) {
    if (group === '') paths.add(`/api/${version}`);
    else paths.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
  }
  for (const { name } of liveness) paths.add(`/healthz/${name}`).add(`/livez/${name}`);
  for (const { name } of readiness) paths.add(`/readyz/${name}`);
  return [...paths].sort();
}
