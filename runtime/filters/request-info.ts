import type { ApiMiddleware } from '../http/context.ts';
import { parseQuery, percentDecode } from '../http/query-string.ts';
import { parseRequestInfo } from '../http/request-info.ts';
import { RequestState } from '../http/state.ts';
import type { Clock } from '../machinery/clock.ts';
import { badRequest } from '../machinery/status.ts';
import { uuid } from '../machinery/uuid.ts';

/** Parses the URL, once, and makes the request's state; the state's signal aborts when the connection is done with the request. */
export function requestInfo(clock: Clock): ApiMiddleware {
  return (ctx, next) => {
    const { req, res } = ctx;
    const auditId = headerSafe(req.headers['audit-id']) ?? uuid();
    let state: RequestState;
    try {
      state = parseRequest(ctx.method, req.url ?? '/', auditId, clock.now());
    } catch (error) {
      res.setHeader('Audit-Id', auditId);
      throw error;
    }
    state.head.push('Audit-Id', auditId);
    ctx.state = state;
    res.on('close', () => state.over());
    return next();
  };
}

/** The state of a request before any other filter has seen it. @throws StatusError 400 for a URL that cannot be parsed */
export function parseRequest(method: string, url: string, auditId: string, receivedAt: number): RequestState {
  const mark = url.indexOf('?');
  const path = percentDecode(mark < 0 ? url : url.slice(0, mark));
  if (path === undefined) throw badRequest('the path of the request has an invalid URL escape');
  const query = parseQuery(mark < 0 ? '' : url.slice(mark + 1));
  return new RequestState(parseRequestInfo(method, path, query), query, auditId, receivedAt);
}

function headerSafe(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text !== undefined && text !== '' && text.length <= 128 && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
