import type { ApiContext } from './context.ts';
import type { RequestState } from './request-state.ts';

/**
 * Writes the status and the headers of a whole answer: those that filters noted in the request's state, and those that an
 * endpoint set on the response, which win.
 *
 * Node keeps a table of headers that are set one by one, and checks each of them twice. Most answers need none: their head
 * is one list, written at once.
 *
 * @param length of the body; undefined for answers that have none
 */
export function writeHead(ctx: ApiContext, code: number, contentType: string, length: number | undefined): void {
  const { res } = ctx;
  // a request whose URL cannot be parsed has no state
  const noted = (ctx.state as RequestState | undefined)?.head;
  if (noted !== undefined && ctx.req.httpVersionMajor === 1 && res.getHeaderNames().length === 0) {
    noted.push('Content-Type', contentType);
    if (length !== undefined) noted.push('Content-Length', String(length));
    res.writeHead(code, noted);
    return;
  }
  setRecordedHeaders(ctx);
  res.setHeader('Content-Type', contentType);
  if (length !== undefined) res.setHeader('Content-Length', length);
  res.writeHead(code);
}

/** Sets the headers that filters noted on the response, but for those that an endpoint has set. */
export function setRecordedHeaders({ res, state }: ApiContext): void {
  const noted = (state as RequestState | undefined)?.head;
  if (noted === undefined) return;
  for (let at = 0; at < noted.length; at += 2) {
    if (!res.hasHeader(noted[at])) res.setHeader(noted[at], noted[at + 1]);
  }
}
