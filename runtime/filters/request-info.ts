import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { parseQuery, percentDecode, type Query } from '../http/query-string.ts';
import { parseRequestInfo } from '../http/request-info.ts';
import { RequestState } from '../http/request-state.ts';
import { isLong, readInTurns } from '../http/selectors.ts';
import type { Clock } from '../machinery/clock.ts';
import { badRequest } from '../machinery/status.ts';
import { uuid } from '../machinery/uuid.ts';

/** Parses the URL, once, and makes the request's state; the state's signal aborts when the connection is done with the request. */
export function withRequestInfo(clock: Clock): ApiMiddleware {
  return (ctx, next) => {
    const { req, res } = ctx;
    const auditId = headerSafe(req.headers['audit-id']) ?? uuid();
    const receivedAt = clock.now();
    let state: RequestState;
    try {
      const url = parseUrl(req.url ?? '/');
      if (isLong(url.query)) return inTurns(ctx, next, url, auditId, receivedAt);
      state = stateOf(ctx.method, url, auditId, receivedAt);
    } catch (error) {
      res.setHeader('Audit-Id', auditId);
      throw error;
    }
    return enter(ctx, next, state);
  };
}

function enter(ctx: ApiContext, next: Next, state: RequestState): unknown {
  state.head.push('Audit-Id', state.auditId);
  ctx.state = state;
  ctx.res.on('close', () => state.complete());
  return next();
}

/** A selector that takes long to read lets others have their turns. */
async function inTurns(
  ctx: ApiContext,
  next: Next,
  url: RequestUrl,
  auditId: string,
  receivedAt: number,
): Promise<void> {
  let isGone = false;
  ctx.res.on('close', () => {
    isGone = true;
  });
  await readInTurns(url.query);
  if (isGone) return;
  ctx.res.setHeader('Audit-Id', auditId);
  await enter(ctx, next, stateOf(ctx.method, url, auditId, receivedAt));
}

interface RequestUrl {
  readonly path: string;
  readonly query: Query;
}

/** The state of a request before any other filter has seen it. @throws StatusError 400 for a URL that cannot be parsed */
export function parseRequest(method: string, url: string, auditId: string, receivedAt: number): RequestState {
  return stateOf(method, parseUrl(url), auditId, receivedAt);
}

function stateOf(method: string, { path, query }: RequestUrl, auditId: string, receivedAt: number): RequestState {
  return new RequestState(parseRequestInfo(method, path, query), query, auditId, receivedAt);
}

function parseUrl(url: string): RequestUrl {
  const mark = url.indexOf('?');
  const path = percentDecode(mark < 0 ? url : url.slice(0, mark));
  if (path === undefined) throw badRequest('the path of the request has an invalid URL escape');
  return { path, query: parseQuery(mark < 0 ? '' : url.slice(mark + 1)) };
}

function headerSafe(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text !== undefined && text !== '' && text.length <= 128 && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
