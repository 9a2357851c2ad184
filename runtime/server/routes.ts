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

export interface RouteParts {
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  /** Its metrics and dumps; absent where it is switched off. */
  readonly flowControl?: FlowControl;
  /** Checks of /livez and /healthz. */
  readonly liveness: readonly HealthCheck[];
  /** Checks of /readyz. */
  readonly readiness: readonly HealthCheck[];
  /** The body of /version. */
  readonly version: object;
  /** Group-versions, for the list of paths at `/`. */
  readonly groupVersions: () => readonly { readonly group: string; readonly version: string }[];
  /** Discovery and the OpenAPI documents: answers, or calls next. */
  readonly discovery: ApiMiddleware;
  /** How others verify the tokens of service accounts: the configuration names the address of the keys. */
  readonly openId: { configuration(): Promise<object>; keys(): Promise<object> };
}

/** Paths that are routed as resources are. */
const routedPaths = ['/version', openIdConfigurationPath, openIdKeysPath];

/** Paths of the routes below, for the list at `/` and for metrics. */
const fixedPaths = [
  ...[openIdConfigurationPath, openIdKeysPath],
  ...['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
];

/** What is not a resource: the dozen fixed paths. */
export function fixedRoutes(parts: RouteParts): ApiMiddleware {
  const router = new Router({ strict: true });
  type Answer = (ctx: ApiContext, params: Record<string, string>, next: () => Promise<unknown>) => unknown;
  const run = (answer: Answer) => (ctx: RouterContext, next: () => Promise<unknown>) =>
    answer(ctx as unknown as ApiContext, ctx.params as Record<string, string>, next);
  // whatever the method
  const all = (path: string, answer: Answer): void => {
    router.all(
      path,
      run(async (...request) => void (await answer(...request))),
    );
  };
  // as resources are: for GET alone, and whatever is below is an error of the API
  const get = (path: string, answer: Answer): void => {
    for (const place of [path, `${path}/`]) router.register(place, ['GET'], run(answer));
  };
  for (const [path, checks] of [
    ['/healthz', parts.liveness],
    ['/livez', parts.liveness],
    ['/readyz', parts.readiness],
  ] as const) {
    const health = healthEndpoint(path, checks, parts.logger);
    all(path, (ctx) => health.all(ctx));
    all(`${path}/:check`, async (ctx, { check }, next) => (await health.one(ctx, check)) || next());
  }
  for (const path of ['/', '/index.html']) {
    all(path, (ctx) =>
      respondObject(ctx, 200, { paths: listedPaths(parts) }, { mediaType: 'application/json', pretty: true }),
    );
  }
  get('/version', (ctx) => respondObject(ctx, 200, parts.version, { mediaType: 'application/json', pretty: true }));
  all('/metrics', async (ctx) => {
    const flowControl = parts.flowControl?.metrics.render() ?? '';
    const text = parts.metrics.render(parts.flowControl === undefined) + flowControl + (await renderProcessMetrics());
    await respondBytes(ctx, 200, 'text/plain; version=0.0.4; charset=utf-8', Buffer.from(text));
  });
  if (parts.flowControl) addDumps(all, parts.flowControl);
  const publish = async (ctx: ApiContext, contentType: string, document: object): Promise<void> => {
    ctx.res.setHeader('Cache-Control', 'public, max-age=3600');
    await respondBytes(ctx, 200, contentType, Buffer.from(JSON.stringify(document)));
  };
  const { openId } = parts;
  get(openIdConfigurationPath, async (ctx) => publish(ctx, 'application/json', await openId.configuration()));
  get(openIdKeysPath, async (ctx) => publish(ctx, 'application/jwk-set+json', await openId.keys()));
  const route = router.routes() as unknown as ApiMiddleware;
  return (ctx) => route(ctx, () => parts.discovery(ctx, () => notFound(ctx)));
}

/** Not in the list at `/`, as upstream. */
function addDumps(all: (path: string, answer: (ctx: ApiContext) => unknown) => void, flowControl: FlowControl): void {
  const folder = '/debug/api_priority_and_fairness';
  all(`${folder}/dump_priority_levels`, (ctx) => respondText(ctx, 200, dumpPriorityLevels(flowControl)));
  all(`${folder}/dump_queues`, (ctx) => respondText(ctx, 200, dumpQueues(flowControl)));
  all(`${folder}/dump_requests`, (ctx) => {
    const details = (firstOf(ctx.state.query, 'includeRequestDetails') ?? '') !== '';
    respondText(ctx, 200, dumpRequests(flowControl, details));
  });
}

/** True for the paths that are worth a metric. */
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

function listedPaths({ groupVersions, liveness, readiness }: RouteParts): string[] {
  const paths = new Set(['/api', '/apis', ...fixedPaths]);
  for (const { group, version } of groupVersions()) {
    if (group === '') paths.add(`/api/${version}`);
    else paths.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
  }
  for (const { name } of liveness) paths.add(`/healthz/${name}`).add(`/livez/${name}`);
  for (const { name } of readiness) paths.add(`/readyz/${name}`);
  return [...paths].sort();
}
