import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { frameLengthBytes } from '../codec/watch-frames.ts';
import { badRequest } from '../machinery/status.ts';
import type { ApiContext } from './context.ts';
import { openStream } from './stream.ts';
import { OpenStream, type StreamWriter } from './stream-writer.ts';

interface PendingUpgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  taken: boolean;
}

const pending = new WeakMap<object, PendingUpgrade>();

/** Notes that a request came with `Connection: Upgrade`: an endpoint may take its socket over. Called by the listener. */
export function offerUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
  pending.set(req, { socket, head, taken: false });
}

/** Whether an endpoint took the socket; if none did, the answer is plain HTTP and the connection ends with it. */
export function upgradeTaken(req: IncomingMessage): boolean {
  return pending.get(req)?.taken === true;
}

/** The client asks to speak WebSocket. (apiserver wsstream.IsWebSocketRequest) */
function isWebSocketRequest(ctx: ApiContext): boolean {
  return pending.has(ctx.req) && ctx.req.headers.upgrade?.toLowerCase() === 'websocket';
}

/** Bytes of a client's message, which nobody reads; a larger one ends the watch with code 1009. (golang.org/x/net/websocket: 32 MiB) */
const largestMessage = 64 * 1024;

let shared: Promise<WebSocketServer> | undefined;

/** ws is loaded by the first client that wants it. */
function webSocketServer(): Promise<WebSocketServer> {
  shared ??= import('ws').then(
    ({ WebSocketServer: Server }) =>
      new Server({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload: largestMessage,
        autoPong: false,
        handleProtocols: ([first]) => first ?? false,
      }),
  );
  return shared;
}

/**
 * Answers 101 and gives the open socket.
 *
 * @throws StatusError 400 when the request is no WebSocket request
 */
async function acceptWebSocket(ctx: ApiContext): Promise<WebSocket> {
  const upgrade = pending.get(ctx.req);
  if (!upgrade || !isWebSocketRequest(ctx)) throw badRequest('the request is not a WebSocket upgrade');
  const server = await webSocketServer();
  upgrade.taken = true;
  (ctx.res as { detachSocket?(socket: Duplex): void }).detachSocket?.(upgrade.socket);
  // without its socket the response never says that it is over, and the filters wait for that
  upgrade.socket.once('close', () => ctx.res.emit('close'));
  return new Promise((resolve, reject) => {
    upgrade.socket.once('close', () => reject(badRequest('the WebSocket handshake failed')));
    server.handleUpgrade(ctx.req, upgrade.socket, upgrade.head, (socket) => resolve(socket));
  });
}

/**
 * Begins a watch: over WebSocket when the client asks for it, one message an event; otherwise as a streamed answer.
 *
 * @param text whether the messages are text, as JSON is
 */
export async function openWatchStream(ctx: ApiContext, contentType: string, text: boolean): Promise<StreamWriter> {
  if (!isWebSocketRequest(ctx)) return openStream(ctx, contentType);
  return new SocketStream(await acceptWebSocket(ctx), text, frameLengthBytes(contentType));
}

/** About what a socket's own high water mark is. */
const queueLimit = 64 * 1024;
/** Milliseconds that a client gets to answer a close. */
const closingLimit = 1000;

class SocketStream extends OpenStream {
  readonly #socket: WebSocket;
  readonly #binary: boolean;
  readonly #skipped: number;

  /** @param skipped how many bytes at the beginning of each chunk are not sent */
  constructor(socket: WebSocket, text: boolean, skipped: number) {
    super();
    this.#socket = socket;
    this.#binary = !text;
    this.#skipped = skipped;
    socket.on('close', () => this.noteClosed());
    socket.on('error', () => socket.terminate());
    // whoever sends pings and reads nothing must not have the answers pile up
    socket.on('ping', (data) => {
      if (!this.isFull) socket.pong(data);
    });
  }

  override get pending(): number {
    return this.#socket.bufferedAmount;
  }

  protected override get isFull(): boolean {
    return this.#socket.bufferedAmount >= queueLimit;
  }

  override write(chunk: Uint8Array | string): boolean {
    if (this.closed) return true;
    const message = typeof chunk === 'string' ? chunk : chunk.subarray(this.#skipped);
    this.#socket.send(message, { binary: this.#binary }, () => {
      if (!this.isFull) this.noteRoom();
    });
    return !this.isFull;
  }

  protected override finish(): void {
    this.#socket.close(1000);
    setTimeout(() => this.#socket.terminate(), closingLimit).unref();
  }

  protected override destroy(): void {
    this.#socket.terminate();
  }
}
