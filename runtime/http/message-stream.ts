import type { WebSocket } from 'ws';
import { frameLengthBytes } from '../codec/watch-frames.ts';
import type { ApiContext } from './context.ts';
import { openStream } from './stream.ts';
import { OpenStream, type StreamWriter } from './stream-writer.ts';
import { acceptWebSocket, isWebSocketRequest, terminateLater } from './websocket.ts';
import { firstOf, withOrigin } from './websocket-handshake.ts';

/** The form of chunks in WebSocket messages. */
interface Messages {
  readonly isBinary: boolean;
  messageOf(chunk: Uint8Array | string): Uint8Array | string;
}

/** The maximum size of a client's message, in bytes. Streams ignore these messages. */
const maxMessage = 64 * 1024;

/**
 * Begins the response to a watch. On request, it is a WebSocket with one message for each event, otherwise a stream.
 * Returns undefined if the client already has a response.
 *
 * @param text true if the events are text, as JSON
 */
export async function openWatchStream(ctx: ApiContext, contentType: string, text: boolean): Promise<StreamWriter | undefined> {
  if (!isWebSocketRequest(ctx)) return openStream(ctx, contentType);
  const accepted = await acceptWebSocket(ctx, { handshake: withOrigin, maxMessage });
  if (accepted === undefined) return undefined;
  const frame = frameLengthBytes(contentType);
  return new SocketStream(accepted.socket, {
    isBinary: !text,
    messageOf: (chunk) => (typeof chunk === 'string' ? chunk : chunk.subarray(frame)),
  });
}

const base64Protocol = 'base64.binary.k8s.io';

/**
 * Begins a response of bytes: a WebSocket on request, otherwise a stream. Returns undefined if the client already has a
 * response. (wsstream.Reader)
 */
export async function openByteStream(ctx: ApiContext, contentType: string): Promise<StreamWriter | undefined> {
  if (!isWebSocketRequest(ctx)) return openStream(ctx, contentType);
  const accepted = await acceptWebSocket(ctx, { handshake: firstOf(['', 'binary.k8s.io', base64Protocol]), maxMessage });
  if (accepted === undefined) return undefined;
  const isBinary = accepted.protocol !== base64Protocol;
  const stream = new SocketStream(accepted.socket, {
    isBinary,
    messageOf: (chunk) => (isBinary ? chunk : Buffer.from(chunk).toString('base64')),
  });
  // an empty message tells the client that it is connected
  stream.write('');
  return stream;
}

/** Bytes in the queue: about the high-water mark of a socket. */
const queueLimit = 64 * 1024;

class SocketStream extends OpenStream {
  readonly #socket: WebSocket;
  readonly #messages: Messages;

  constructor(socket: WebSocket, messages: Messages) {
    super();
    this.#socket = socket;
    this.#messages = messages;
    socket.on('close', () => this.onClosed());
    // the client of a message that is refused receives the reason in a close frame
    socket.on('error', () => terminateLater(socket));
    socket.resume();
  }

  override get pending(): number {
    return this.#socket.bufferedAmount;
  }

  protected override get isFull(): boolean {
    return this.#socket.bufferedAmount >= queueLimit;
  }

  override write(chunk: Uint8Array | string): boolean {
    if (this.closed) return true;
    const { isBinary, messageOf } = this.#messages;
    this.#socket.send(messageOf(chunk), { binary: isBinary }, () => {
      if (!this.isFull) this.onRoom();
    });
    return !this.isFull;
  }

  protected override finish(): void {
    this.#socket.close(1000);
    terminateLater(this.#socket);
  }

  protected override destroy(): void {
    this.#socket.terminate();
  }
}
