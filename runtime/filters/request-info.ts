import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { parseQuery, type Query } from '../http/query-string.ts';
import { parseRequestInfo } from '../http/request-info.ts';
import { RequestState } from '../http/request-state.ts';
import { hasLongSelector, parseSelectorInTurns } from '../http/selectors.ts';
import type { Clock } from '../machinery/clock.ts';
import { badRequest } from '../machinery/errors/status.ts';
import { percentDecode } from '../machinery/percent-decode.ts';
import { type Random, systemRandom } from '../machinery/random.ts';

/**
 * Parses the URL and creates the state of the request. The state is complete when the connection has finished the
 * request. (apiserver WithRequestInfo, WithAuditInit)
 */
export function withRequestInfo(clock: Clock, random: Random = systemRandom): ApiMiddleware {
  return (ctx, next) => {
    const { req, res } = ctx;
    const auditId = validAuditId(req.headers['audit-id']) ?? random.uuid('audit', req.method, req.url);
    const receivedAt = clock.now();
    let state: RequestState;
    try {
      const url = parseUrl(req.url ?? '/');
      if (hasLongSelector(url.query)) return parseInTurns(ctx, next, { url, auditId, receivedAt });
      state = createState(ctx.method, url, auditId, receivedAt);
    } catch (error) {
      res.setHeader('Audit-Id', auditId);
      throw error;
    }
    return continueWith(ctx, next, state);
  };
}

function continueWith(ctx: ApiContext, next: Next, state: RequestState): unknown {
  state.responseHeaders.push('Audit-Id', state.auditId);
  ctx.state = state;
  ctx.res.on('close', () => state.complete());
  return next();
}

interface ReceivedRequest {
  readonly url: RequestUrl;
  readonly auditId: string;
  readonly receivedAt: number;
}

/** Parses a long selector in turns with other requests. */
async function parseInTurns(ctx: ApiContext, next: Next, { url, auditId, receivedAt }: ReceivedRequest): Promise<void> {
  let isClosed = false;
  ctx.res.on('close', () => {
    isClosed = true;
  });
  await parseSelectorInTurns(url.query);
  if (isClosed) return;
  ctx.res.setHeader('Audit-Id', auditId);
  await continueWith(ctx, next, createState(ctx.method, url, auditId, receivedAt));
}

interface RequestUrl {
  /** The decoded path. */
  readonly path: string;
  readonly query: Query;
}

/** Returns the state of a request that no other filter has seen. @throws StatusError 400 if the URL cannot be parsed */
export function parseRequest(method: string, url: string, auditId: string, receivedAt: number): RequestState {
  return createState(method, parseUrl(url), auditId, receivedAt);
}

function createState(method: string, { path, query }: RequestUrl, auditId: string, receivedAt: number): RequestState {
  return new RequestState(parseRequestInfo(method, path, query), query, auditId, receivedAt);
}

function parseUrl(url: string): RequestUrl {
  const mark = url.indexOf('?');
  const path = percentDecode(mark < 0 ? url : url.slice(0, mark));
  if (path === undefined) throw badRequest('the path of the request has an invalid URL escape');
  return { path, query: parseQuery(mark < 0 ? '' : url.slice(mark + 1)) };
}

/** Returns undefined for an ID that a header of the response cannot repeat. */
function validAuditId(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text !== undefined && text !== '' && text.length <= 128 && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
