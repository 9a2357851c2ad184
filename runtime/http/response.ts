import type { ServerResponse } from 'node:http';
import type { ApiContext } from './context.ts';
import type { RequestState } from './request-state.ts';

/**
 * Writes the status and the headers of a whole response. Headers that an endpoint set on the response override those
 * that filters recorded in the request's state.
 *
 * Node stores separately set headers in a table, and checks each of them twice. Most responses need no table: their
 * head is one list, written at once.
 *
 * @param length of the body; undefined for responses without a body
 */
export function writeHead(ctx: ApiContext, code: number, contentType: string, length: number | undefined): void {
  const { res } = ctx;
  // A request whose URL cannot be parsed has no state.
  const recorded = (ctx.state as RequestState | undefined)?.responseHeaders;
  if (recorded !== undefined && ctx.req.httpVersionMajor === 1 && res.getHeaderNames().length === 0) {
    recorded.push('Content-Type', contentType);
    if (length !== undefined) recorded.push('Content-Length', String(length));
    res.writeHead(code, recorded);
    return;
  }
  setRecordedHeaders(ctx);
  res.setHeader('Content-Type', contentType);
  if (length !== undefined) res.setHeader('Content-Length', length);
  res.writeHead(code);
}

/** Sets the headers that filters recorded, except those that an endpoint has set. */
export function setRecordedHeaders({ res, state }: ApiContext): void {
  const recorded = (state as RequestState | undefined)?.responseHeaders;
  if (recorded === undefined) return;
  for (let at = 0; at < recorded.length; at += 2) {
    const [name = '', value = ''] = recorded.slice(at, at + 2);
    if (!res.hasHeader(name)) res.setHeader(name, value);
  }
}

/** NGHTTP2_INTERNAL_ERROR. */
const internalErrorCode = 2;

/**
 * Aborts a response that has begun, so that the client knows that it is incomplete: closes the HTTP/2 stream or the
 * HTTP/1 connection. (Go's http.ErrAbortHandler)
 */
export function abortResponse(res: ServerResponse): void {
  const { stream } = res as { stream?: { close(code: number): void } };
  if (stream) stream.close(internalErrorCode);
  else res.destroy();
}
