import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { badRequest } from '../machinery/errors/status.ts';
import type { ApiContext } from './context.ts';
import { respondPlainError } from './respond.ts';
import { answerPings } from './websocket-pings.ts';

interface PendingUpgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  taken: boolean;
}

const pending = new WeakMap<object, PendingUpgrade>();

/** Records that a request came with `Connection: Upgrade`, so that an endpoint may take over its socket. Called by the listener. */
export function offerUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
  pending.set(req, { socket, head, taken: false });
}

/** Reports whether an endpoint took over the socket. Otherwise the response is plain HTTP, and ends the connection. */
export function upgradeTaken(req: IncomingMessage): boolean {
  return pending.get(req)?.taken === true;
}

/** Reports whether the client wants to switch to another protocol. (httpstream.IsUpgradeRequest) */
export const isUpgradeRequest = ({ req }: ApiContext): boolean => pending.has(req);

/** A client's connection, and the bytes that the client sent after the request. */
export interface HijackedConnection {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Takes over the connection of an upgrade request. From now on, only the caller writes to the connection. The request
 * is complete when the connection closes. (http.Hijacker)
 */
export function hijack(ctx: ApiContext): HijackedConnection {
  const upgrade = pending.get(ctx.req);
  if (upgrade === undefined) throw badRequest('the request is not an upgrade');
  upgrade.taken = true;
  ctx.state.audit?.responseStarted(101);
  (ctx.res as { detachSocket?(socket: Duplex): void }).detachSocket?.(upgrade.socket);
  // Without its socket, the response never emits the `close` that completes the request.
  upgrade.socket.once('close', () => ctx.res.emit('close'));
  return upgrade;
}

/** (apiserver wsstream.IsWebSocketRequest) */
export function isWebSocketRequest(ctx: ApiContext): boolean {
  return isUpgradeRequest(ctx) && ctx.req.headers.upgrade?.toLowerCase() === 'websocket';
}

/** The options of a WebSocket. */
export interface WebSocketOptions {
  /** The subprotocol, one that the client offered. Default: none. */
  readonly protocol?: string | undefined;
  /**
   * The maximum bytes of a client's message. A larger one ends the connection with code 1009.
   * (golang.org/x/net/websocket: 32 MiB)
   */
  readonly maxMessage: number;
}

let websockets: Promise<typeof import('ws')> | undefined;

/** Loads the library on first use. */
function loadWebSockets(): Promise<typeof import('ws')> {
  websockets ??= import('ws');
  return websockets;
}

/**
 * Responds with 101 and returns the open socket, which answers pings by itself.
 *
 * The socket is paused. A client may send its first message together with its request, so the caller adds its listeners
 * first and resumes the socket then.
 *
 * @throws StatusError 400 for other requests
 */
export async function acceptWebSocket(ctx: ApiContext, { protocol, maxMessage }: WebSocketOptions): Promise<WebSocket> {
  if (!isWebSocketRequest(ctx)) throw badRequest('the request is not a WebSocket upgrade');
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
  if (protocol !== undefined && protocol !== '') {
    server.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  }
  const { socket, head } = hijack(ctx);
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(badRequest('the WebSocket handshake failed')));
    server.handleUpgrade(ctx.req, socket, head, (opened) => {
      answerPings(opened, socket);
      opened.pause();
      resolve(opened);
    });
  });
}

/**
 * Responds with 101 and returns a stream of the messages' bytes in both directions.
 *
 * @throws StatusError 400 for other requests
 */
export async function acceptWebSocketStream(ctx: ApiContext, options: WebSocketOptions): Promise<Duplex> {
  const { createWebSocketStream } = await loadWebSockets();
  const stream = createWebSocketStream(await acceptWebSocket(ctx, options));
  stream.on('error', () => stream.destroy());
  return stream;
}

/** Returns the subprotocols that a client offers. */
export function offeredProtocols({ req }: ApiContext): string[] {
  const header = req.headers['sec-websocket-protocol'] ?? '';
  return header.split(',').flatMap((name) => name.trim() || []);
}

/**
 * Returns the first known subprotocol that the client offers; "" stands for none. If no offer is known, responds with
 * 403 and returns undefined. (wsstream handshake)
 */
export function negotiateProtocol(ctx: ApiContext, known: readonly string[]): string | undefined {
  const offered = offeredProtocols(ctx);
  const protocol = (offered.length === 0 ? [''] : offered).find((name) => known.includes(name));
  if (protocol === undefined) {
    respondPlainError(ctx, 403, `unable to upgrade: none of the protocols [${offered.join(' ')}] is supported`);
  }
  return protocol;
}
