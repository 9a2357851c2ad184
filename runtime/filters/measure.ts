import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import { isLongRunning, type RequestInfo } from '../http/request-info.ts';
import type { RequestLabels, RequestMetrics } from '../observe/request-metrics.ts';

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const canonicalVerbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  proxy: 'CONNECT',
};
const connecting: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

/**
 * Counts requests and times them.
 *
 * @param serves whether a path or resource exists: what strangers make up must not become labels
 */
export function measure(metrics: RequestMetrics, serves: (info: RequestInfo) => boolean): ApiMiddleware {
  return (ctx, next) => {
    const info = ctx.state.requestInfo;
    if (!serves(info)) return next();
    const started = performance.now();
    const kind = isLongRunning(info) ? 'open' : readVerbs.has(info.verb) ? 'readOnly' : 'mutating';
    const series = metrics.begin(labelsOf(ctx, info), kind);
    ctx.state.whenOver(() => metrics.end(series, kind, ctx.res.statusCode, (performance.now() - started) / 1000));
    return next();
  };
}

function labelsOf(ctx: ApiContext, info: RequestInfo): RequestLabels {
  const { group, version, resource, subresource } = info;
  return {
    verb: verbOf(ctx, info),
    group,
    version,
    resource,
    subresource: info.isResourceRequest ? subresource : info.path,
    scope: scopeOf(info),
  };
}

function verbOf(ctx: ApiContext, info: RequestInfo): string {
  if (!info.isResourceRequest) return ctx.method === 'HEAD' ? 'GET' : ctx.method;
  if (connecting.has(info.subresource)) return 'CONNECT';
  if (info.verb === 'patch' && ctx.req.headers['content-type']?.startsWith('application/apply-patch')) return 'APPLY';
  // a list narrowed to one name by a field selector stays a list
  return canonicalVerbs[info.verb] ?? 'other';
}

function scopeOf(info: RequestInfo): string {
  if (!info.isResourceRequest) return '';
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
