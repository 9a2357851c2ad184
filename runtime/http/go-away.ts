import type { ServerHttp2Session } from 'node:http2';
import type { ApiContext } from './context.ts';

/**
 * Ends the connection of a request after its response, and after the responses to other running requests: on HTTP/2
 * with a GOAWAY, on HTTP/1.1 with `Connection: close`. (the header `Connection: close` in Go)
 */
export function closeConnection({ req, res }: ApiContext): void {
  if (req.httpVersionMajor === 1) {
    if (!res.headersSent) res.setHeader('Connection', 'close');
    return;
  }
  const { stream } = req as { stream?: { readonly session?: ServerHttp2Session } };
  const session = stream?.session;
  if (session !== undefined && !session.closed) session.close();
}
