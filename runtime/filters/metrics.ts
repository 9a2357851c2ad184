import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { Measurement, RequestKind, RequestLabels, RequestMetrics, RequestSeries } from '../http/metrics/request-metrics.ts';
import type { Query } from '../http/query-string.ts';
import { isLongRunning, isReadOnly, type RequestInfo } from '../http/request-info.ts';
import type { CompletionListener } from '../http/request-state.ts';

const canonicalVerbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  // the HTTP method decides
  deletecollection: 'DELETE',
  proxy: 'CONNECT',
};
const connectSubresources: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);
const nonResourceVerbs: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Counts and times requests. (apiserver pkg/endpoints/metrics InstrumentHandlerFunc)
 *
 * @param serves returns true if the path or resource exists. Others are not measured: clients must not be able to create
 *     series
 */
export function withMetrics(metrics: RequestMetrics, serves: (info: RequestInfo) => boolean): ApiMiddleware {
  return (ctx, next) => {
    const info = ctx.state.requestInfo;
    if (!serves(info)) return next();
    const kind = isLongRunning(info) ? 'open' : isReadOnly(info) ? 'readOnly' : 'mutating';
    ctx.state.onCompletion(new MeasuredRequest(metrics, metrics.begin(labelsOf(ctx, info), kind), kind, ctx));
    return next();
  };
}

class MeasuredRequest implements CompletionListener, Measurement {
  before: CompletionListener | undefined;
  isRefused = false;
  code = 0;
  seconds = 0;
  secondsQueued = 0;
  bytes = 0;
  readonly #started = performance.now();
  readonly #metrics: RequestMetrics;
  readonly #series: RequestSeries;
  readonly #kind: RequestKind;
  readonly #ctx: ApiContext;

  constructor(metrics: RequestMetrics, series: RequestSeries, kind: RequestKind, ctx: ApiContext) {
    this.#metrics = metrics;
    this.#series = series;
    this.#kind = kind;
    this.#ctx = ctx;
  }

  completed(): void {
    const { res, state } = this.#ctx;
    this.isRefused = !state.isAuthorized;
    this.seconds = (performance.now() - this.#started) / 1000;
    this.secondsQueued = state.millisecondsQueued / 1000;
    this.code = res.statusCode;
    this.bytes = state.bytesSent;
    this.#metrics.end(this.#series, this.#kind, this);
  }
}

function labelsOf(ctx: ApiContext, info: RequestInfo): RequestLabels {
  const { group, version, resource, subresource } = info;
  return {
    verb: verbOf(ctx, info),
    dryRun: dryRunOf(ctx.state.query),
    group,
    version,
    resource,
    subresource: info.isResourceRequest ? subresource : info.path,
    scope: scopeOf(info),
  };
}

function verbOf(ctx: ApiContext, info: RequestInfo): string {
  if (!info.isResourceRequest) {
    if (ctx.method === 'HEAD') return 'GET';
    return nonResourceVerbs.has(ctx.method) ? ctx.method : 'other';
  }
  if (connectSubresources.has(info.subresource)) return 'CONNECT';
  if (info.verb === 'patch' && ctx.req.headers['content-type'] === 'application/apply-patch+yaml') return 'APPLY';
  // A list that a field selector restricts to one name is still a list.
  return canonicalVerbs[info.verb] ?? 'other';
}

/** `All` is the only valid value, however often it is repeated. (cleanDryRun) */
function dryRunOf(query: Query): string {
  const values = query.size === 0 ? undefined : query.get('dryRun');
  if (values === undefined) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}

function scopeOf(info: RequestInfo): string {
  if (!info.isResourceRequest) return '';
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
