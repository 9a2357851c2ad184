import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { badRequest } from '../machinery/errors/status.ts';
import type { ApiContext } from './context.ts';
import { hijack, isUpgradeRequest } from './upgrade.ts';
import { type Handshake, refusalOf } from './websocket-handshake.ts';
import { answerPings } from './websocket-pings.ts';

/** (apiserver wsstream.IsWebSocketRequest) */
export function isWebSocketRequest(ctx: ApiContext): boolean {
  return isUpgradeRequest(ctx) && ctx.req.headers.upgrade?.toLowerCase() === 'websocket';
}

/** The options of a WebSocket. */
export interface WebSocketOptions {
  readonly handshake: Handshake;
  /**
   * The maximum bytes of a client's message. A larger one ends the connection with code 1009.
   * (golang.org/x/net/websocket: 32 MiB)
   */
  readonly maxMessage: number;
}

/** An open WebSocket, and the subprotocol that both sides speak. "" stands for none. */
export interface AcceptedWebSocket {
  readonly socket: WebSocket;
  readonly protocol: string;
}

let websockets: Promise<typeof import('ws')> | undefined;

/** Loads the library on first use. */
function loadWebSockets(): Promise<typeof import('ws')> {
  websockets ??= import('ws');
  return websockets;
}

/**
 * Responds with 101 and returns the open socket, which answers pings by itself. If the handshake is refused, sends the
 * refusal and returns undefined.
 *
 * The socket is paused. A client may send its first message together with its request, so the caller adds its listeners
 * first and resumes the socket then.
 *
 * @throws StatusError 400 for other requests
 */
export async function acceptWebSocket(
  ctx: ApiContext,
  { handshake, maxMessage }: WebSocketOptions,
): Promise<AcceptedWebSocket | undefined> {
  if (!isWebSocketRequest(ctx)) throw badRequest('the request is not a WebSocket upgrade');
  const protocols = handshake(ctx);
  const refusal = refusalOf(ctx, protocols);
  if (refusal !== undefined) {
    const { socket } = hijack(ctx);
    socket.end(refusal, () => socket.destroy());
    return undefined;
  }
  const protocol = protocols?.[0] ?? '';
  const socket = await upgrade(ctx, protocol, maxMessage);
  return { socket, protocol };
}

async function upgrade(ctx: ApiContext, protocol: string, maxMessage: number): Promise<WebSocket> {
  const { WebSocketServer } = await loadWebSockets();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessage,
    autoPong: false,
  });
  // ws refuses names with a slash, as `SPDY/3.1+portforward.k8s.io`
  ctx.req.headers['sec-websocket-protocol'] = undefined;
  if (protocol !== '') server.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  const { socket, head } = hijack(ctx);
  writeOneByOne(socket);
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(badRequest('the WebSocket handshake failed')));
    server.handleUpgrade(ctx.req, socket, head, (opened) => {
      answerPings(opened, socket);
      opened.pause();
      resolve(opened);
    });
  });
}

/** Milliseconds for which a close waits for the client's response. */
const closeTimeout = 1000;

/** Ends a connection for which a close frame has been written, if the client does not. */
export function terminateLater(socket: WebSocket): void {
  setTimeout(() => socket.terminate(), closeTimeout).unref();
}

/**
 * Gives each message a TLS record of its own, as Go's connections do. Node joins waiting writes into one record; a client that
 * polls its socket for each message, as Python's, does not see the messages that its TLS library has read with the one before.
 */
function writeOneByOne(socket: Duplex): void {
  Object.defineProperty(socket, '_writev', { value: undefined });
}

/**
 * Responds with 101 and returns a stream of the messages' bytes in both directions. If the handshake is refused, sends
 * the refusal and returns undefined.
 *
 * @throws StatusError 400 for other requests
 */
export async function acceptWebSocketStream(ctx: ApiContext, options: WebSocketOptions): Promise<Duplex | undefined> {
  const [{ createWebSocketStream }, accepted] = await Promise.all([loadWebSockets(), acceptWebSocket(ctx, options)]);
  if (accepted === undefined) return undefined;
  const stream = createWebSocketStream(accepted.socket);
  stream.on('error', () => stream.destroy());
  return stream;
}
