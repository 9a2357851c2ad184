import { STATUS_CODES } from 'node:http';
import type { ApiContext } from './context.ts';

/**
 * Chooses from the subprotocols that a client offers. The result is what remains of the offer: nothing for a connection
 * without a subprotocol, undefined if the endpoint refuses the client. (golang.org/x/net/websocket Server.Handshake)
 */
export type Handshake = (ctx: ApiContext) => readonly string[] | undefined;

/** Returns the subprotocols that a client offers. */
export function offeredProtocols({ req }: ApiContext): string[] {
  const header = req.headers['sec-websocket-protocol'] ?? '';
  return header.split(',').flatMap((name) => name.trim() || []);
}

/** Chooses a protocol whatever the client offers. */
export const speaks =
  (protocol: string): Handshake =>
  () => [protocol];

/** Chooses the first known subprotocol; "" stands for none. (wsstream handshake) */
export const firstOf =
  (known: readonly string[]): Handshake =>
  (ctx) => {
    const offered = offeredProtocols(ctx);
    const protocol = (offered.length === 0 ? [''] : offered).find((name) => known.includes(name));
    return protocol === undefined ? undefined : [protocol];
  };

/**
 * Refuses clients that do not say their origin, and agrees to any one subprotocol. (golang.org/x/net/websocket
 * checkOrigin, the handshake of a websocket.Handler)
 */
export const withOrigin: Handshake = (ctx) => (isRequestUri(ctx.req.headers.origin ?? '') ? offeredProtocols(ctx) : undefined);

/** (net/url ParseRequestURI: an absolute path or an absolute URI) */
const isRequestUri = (text: string): boolean => text.startsWith('/') || URL.canParse(text);

/**
 * Returns the response that refuses a WebSocket, or undefined if nothing is wrong with the request. It has a status line
 * and the reason, without further headers: `HTTP/1.1 403 Forbidden` and an empty line. (golang.org/x/net/websocket
 * newServerConn)
 *
 * @param protocols The outcome of the endpoint's handshake.
 */
export function refusalOf({ req }: ApiContext, protocols: readonly string[] | undefined): string | undefined {
  if (req.method !== 'GET') return refusal(405, 'bad method');
  if (!req.headers['sec-websocket-key']) return refusal(400, 'mismatch challenge/response');
  if (req.headers['sec-websocket-version'] !== '13') {
    return refusal(400, 'missing or bad WebSocket Version', 'Sec-WebSocket-Version: 13\r\n');
  }
  if (protocols === undefined) return refusal(403);
  if (protocols.length > 1) return refusal(400);
  return undefined;
}

const refusal = (code: number, why = '', headers = ''): string => `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n${headers}\r\n${why}`;
