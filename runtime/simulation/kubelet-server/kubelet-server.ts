import { encodeJsonLine } from '../../codec/json.ts';
import type { ApiContext } from '../../http/context.ts';
import { queryValue } from '../../http/query-string.ts';
import { respondBytes, respondPlainError, respondText } from '../../http/respond.ts';
import { parseGoBool } from '../../machinery/go/bool.ts';
import { kubeletConfiguration } from './configuration.ts';
import { type ContainerLogs, sendContainerLog } from './container-log.ts';
import type { KubeletRequest } from './kubelet-request.ts';
import { kubeletMetrics, resourceMetrics } from './metrics.ts';
import { podList, runningPodList } from './pod-lists.ts';
import { statsSummary } from './stats-summary.ts';

type Handler = (request: KubeletRequest) => unknown;

const checks = ['ping', 'log', 'syncloop'];

/** Paths with responses to any method. (ServeMux) */
const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['/healthz', answerHealth],
  ...checks.map((check): [string, Handler] => [`/healthz/${check}`, ({ ctx }) => respondHealth(ctx, 'ok')]),
  ['/metrics', ({ ctx, view }) => respondMetrics(ctx, kubeletMetrics(view()))],
  ['/metrics/resource', ({ ctx, view }) => respondMetrics(ctx, resourceMetrics(view()))],
  ['/configz', ({ ctx, view }) => respondJson(ctx, { kubeletconfig: kubeletConfiguration(view()) })],
  ['/debug/flags/v', ({ ctx }) => respondPlainError(ctx, 405, 'flags endpoint is disabled.')],
]);

/** Prefixes of disabled paths, with their messages. */
const disabled: readonly (readonly [string, string])[] = [
  ['/logs/', 'logs endpoint is disabled.'],
  ['/debug/pprof/', 'profiling endpoint is disabled.'],
];

/** Paths for GET, with or without a slash at the end. (restful) */
const routes: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['pods', ({ ctx, view }) => respondJson(ctx, podList(view().pods))],
  ['runningpods', ({ ctx, view }) => respondJson(ctx, runningPodList(view().pods))],
  [
    'stats/summary',
    ({ ctx, query, view }) => {
      const only = parseGoBool(queryValue(query, 'only_cpu_and_memory') ?? '') ?? false;
      return respondJson(ctx, statsSummary(view(), only));
    },
  ],
]);

/** Responds like the server of a kubelet, but without streams and commands. (pkg/kubelet/server) */
export async function serveKubelet(request: KubeletRequest, logs: ContainerLogs): Promise<void> {
  const { ctx, path } = request;
  const handler = handlers.get(path);
  if (handler !== undefined) return void (await handler(request));
  for (const [prefix, message] of disabled) {
    if (path.startsWith(prefix) || `${path}/` === prefix) return respondPlainError(ctx, 405, message);
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  const isLog = segments.length === 4 && segments[0] === 'containerLogs';
  const route = routes.get(segments.join('/'));
  if (!isLog && route === undefined) return respondText(ctx, 404, '404: Page Not Found');
  if (ctx.method !== 'GET') {
    ctx.res.setHeader('Allow', 'GET');
    return respondText(ctx, 405, '405: Method Not Allowed');
  }
  if (route !== undefined) await route(request);
  else await sendContainerLog(request, segments.slice(1) as [string, string, string], logs);
}

/** (healthz.InstallHandler) */
function answerHealth({ ctx, query }: KubeletRequest): void {
  const lines = checks.map((check) => `[+]${check} ok\n`).join('');
  respondHealth(ctx, query.has('verbose') ? `${lines}healthz check passed\n` : 'ok');
}

function respondHealth(ctx: ApiContext, text: string): void {
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
  respondText(ctx, 200, text);
}

const respondMetrics = (ctx: ApiContext, text: string): void | Promise<void> =>
  respondBytes(ctx, 200, 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores', Buffer.from(text));

const respondJson = (ctx: ApiContext, value: object): void | Promise<void> =>
  respondBytes(ctx, 200, 'application/json', encodeJsonLine(value));
