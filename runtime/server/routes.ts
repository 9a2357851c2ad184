import Router from '@koa/router';
import { openIdConfigurationPath, openIdKeysPath } from '../auth/service-account/openid.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../flowcontrol/dump.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import { firstOf } from '../http/query-string.ts';
import { respondBytes, respondObject, respondText, sendBytes } from '../http/respond.ts';
import type { ApiContext, ApiMiddleware } from '../http/state.ts';
import { pathMethodNotAllowed } from '../machinery/status.ts';
import type { Logger } from '../observe/logger.ts';
import { renderProcessMetrics } from '../observe/process-metrics.ts';
import type { RequestMetrics } from '../observe/request-metrics.ts';
import { type HealthCheck, healthEndpoint } from './health.ts';

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

/** Paths of the routes below, for the list at `/` and for metrics. */
const fixedPaths = [
  ...[openIdConfigurationPath, openIdKeysPath],
  ...['/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
];

/** What is not a resource: the dozen fixed paths. */
export function fixedRoutes(parts: RouteParts): ApiMiddleware {
  const router = new Router();
  const get = (path: string, answer: (ctx: ApiContext, params: Record<string, string>) => unknown): void => {
    router.get(path, async (ctx) => {
      await answer(ctx as unknown as ApiContext, ctx.params as Record<string, string>);
    });
  };
  for (const [path, checks] of [
    ['/healthz', parts.liveness],
    ['/livez', parts.liveness],
    ['/readyz', parts.readiness],
  ] as const) {
    const health = healthEndpoint(path, checks, parts.logger);
    get(path, (ctx) => health.all(ctx));
    get(`${path}/:check`, (ctx, { check }) => health.one(ctx, check));
  }
  get('/', (ctx) =>
    respondObject(ctx, 200, { paths: listedPaths(parts) }, { mediaType: 'application/json', pretty: true }),
  );
  get('/version', (ctx) => respondObject(ctx, 200, parts.version, { mediaType: 'application/json', pretty: true }));
  get('/metrics', async (ctx) => {
    const flowControl = parts.flowControl?.metrics.render() ?? '';
    const text = parts.metrics.render() + flowControl + (await renderProcessMetrics());
    await respondBytes(ctx, 200, 'text/plain; version=0.0.4; charset=utf-8', Buffer.from(text));
  });
  if (parts.flowControl) addDumps(get, parts.flowControl);
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
function addDumps(get: (path: string, answer: (ctx: ApiContext) => unknown) => void, flowControl: FlowControl): void {
  const folder = '/debug/api_priority_and_fairness';
  get(`${folder}/dump_priority_levels`, (ctx) => respondText(ctx, 200, dumpPriorityLevels(flowControl)));
  get(`${folder}/dump_queues`, (ctx) => respondText(ctx, 200, dumpQueues(flowControl)));
  get(`${folder}/dump_requests`, (ctx) => {
    const details = (firstOf(ctx.state.query, 'includeRequestDetails') ?? '') !== '';
    respondText(ctx, 200, dumpRequests(flowControl, details));
  });
}

/** True for the paths that are worth a metric. */
export function isFixedPath(path: string): boolean {
  return fixedPaths.includes(path) || path === '/api' || path === '/apis';
}

async function notFound(ctx: ApiContext): Promise<void> {
  if (isFixedPath(ctx.state.requestInfo.path)) throw pathMethodNotAllowed();
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
