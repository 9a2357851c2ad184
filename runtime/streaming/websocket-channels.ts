import { Readable, Writable } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { ApiContext } from '../http/context.ts';
import { acceptWebSocket, terminateLater } from '../http/websocket.ts';
import { firstOf } from '../http/websocket-handshake.ts';

/** The message format of a subprotocol. */
export interface ChannelProtocol {
  readonly name: string;
  /** Messages are text with a digit and base64; otherwise binary with a byte. */
  readonly isBase64: boolean;
  /** A client can end one channel. (v5.channel.k8s.io) */
  readonly hasClose: boolean;
}

/** The channel whose messages end the channel that they name. (remotecommand.StreamClose) */
const closeChannel = 255;
/** The maximum bytes of a message: clients send large chunks of files. */
const maxMessage = 4 * 1024 * 1024;
/** Unread bytes of a channel above which the whole connection waits. */
const readLimit = 256 * 1024;

/**
 * Streams over one WebSocket. The first byte of a message is its channel. (apimachinery pkg/util/httpstream/wsstream)
 */
export class WebSocketChannels {
  readonly protocol: ChannelProtocol;
  /** Resolves when the connection is closed for any reason. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #readers = new Map<number, Readable>();
  readonly #full = new Set<Readable>();

  constructor(socket: WebSocket, protocol: ChannelProtocol) {
    this.protocol = protocol;
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(bytesOf(data)));
    socket.on('error', () => terminateLater(socket));
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        for (const reader of this.#readers.values()) reader.push(null);
        resolve();
      });
    });
    socket.resume();
  }

  /**
   * Opens the connection with the first protocol that both sides support. Without one, responds with 403 and returns
   * undefined.
   */
  static async accept(ctx: ApiContext, protocols: readonly ChannelProtocol[]): Promise<WebSocketChannels | undefined> {
    const handshake = firstOf(protocols.map(({ name }) => name));
    const accepted = await acceptWebSocket(ctx, { handshake, maxMessage });
    const protocol = protocols.find(({ name }) => name === accepted?.protocol);
    return accepted === undefined || protocol === undefined ? undefined : new WebSocketChannels(accepted.socket, protocol);
  }

  /** Returns the stream of a channel's messages from the client. */
  readable(channel: number): Readable {
    const reader: Readable = new Readable({
      highWaterMark: readLimit,
      read: () => {
        if (this.#full.delete(reader) && this.#full.size === 0) this.#socket.resume();
      },
    });
    this.#readers.set(channel, reader);
    return reader;
  }

  writable(channel: number): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => this.send(channel, chunk, done),
    });
  }

  send(channel: number, data: Buffer, done?: (error?: Error | null) => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) {
      done?.();
      return;
    }
    const message = this.protocol.isBase64 ? `${channel}${data.toString('base64')}` : Buffer.concat([Buffer.from([channel]), data]);
    this.#socket.send(message, { binary: !this.protocol.isBase64 }, (error) => done?.(error));
  }

  /** Ends the connection after everything is sent. */
  close(): void {
    this.#socket.close(1000);
  }

  #receive(message: Buffer): void {
    const [first] = message;
    if (first === undefined) return;
    const channel = this.protocol.isBase64 ? first - 48 : first;
    const data = this.protocol.isBase64 ? Buffer.from(message.toString('latin1', 1), 'base64') : message.subarray(1);
    if (this.protocol.hasClose && channel === closeChannel) {
      const [code] = data;
      if (code !== undefined && data.length === 1) this.#end(code);
      return;
    }
    const reader = this.#readers.get(channel);
    if (reader === undefined || reader.destroyed || reader.readableEnded || data.length === 0) return;
    if (reader.push(data)) return;
    this.#full.add(reader);
    this.#socket.pause();
  }

  #end(channel: number): void {
    this.#readers.get(channel)?.push(null);
    this.#readers.delete(channel);
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
