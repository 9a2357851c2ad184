import type { ServerHttp2Session } from 'node:http2';
import type { ApiContext } from './context.ts';

/**
 * Ends the connection of a request after its response, and after those of other requests that are being served: on
 * HTTP/2 with a GOAWAY, on HTTP/1.1 with `Connection: close`. (the header `Connection: close` in Go)
 */
export function closeConnection({ req, res }: ApiContext): void {
  if (req.httpVersionMajor === 1) {
    if (!res.headersSent) res.setHeader('Connection', 'close');
    return;
  }
  const session = sessionOf(req);
  if (session !== undefined && !session.closed) session.close();
}

/** Ends the connection of a request at once, with all other requests on it. Nothing that is not sent yet is sent. */
export function destroyConnection({ req, res }: ApiContext): void {
  if (req.httpVersionMajor === 1) {
    req.socket.destroy();
    return;
  }
  const session = sessionOf(req);
  if (session === undefined) res.destroy();
  else session.destroy();
}

/** Undefined on HTTP/1.1, and once the stream is closed. */
const sessionOf = (req: ApiContext['req']): ServerHttp2Session | undefined =>
  (req as { stream?: { readonly session?: ServerHttp2Session } }).stream?.session;
