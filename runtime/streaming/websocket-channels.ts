import { Readable, Writable } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { ApiContext } from '../http/context.ts';
import { acceptWebSocket, negotiateProtocol } from '../http/upgrade.ts';

/** How the channels of a subprotocol are written. */
export interface ChannelProtocol {
  readonly name: string;
  /** Text messages with a digit and base64, instead of binary ones with a byte. */
  readonly isBase64: boolean;
  /** Whether a client can end one channel. (v5.channel.k8s.io) */
  readonly hasClose: boolean;
}

/** A message of this channel ends the channel that it names. (remotecommand.StreamClose) */
const closeChannel = 255;
/** As large as a client may reasonably send what it reads of a file. */
const maxMessage = 4 * 1024 * 1024;
/** Bytes that are kept for whoever reads a channel; then the whole connection waits. */
const readLimit = 256 * 1024;

/**
 * Several streams over one WebSocket: the first byte of a message says which one it belongs to.
 * (apimachinery pkg/util/httpstream/wsstream)
 */
export class WebSocketChannels {
  readonly protocol: ChannelProtocol;
  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #readers = new Map<number, Readable>();
  readonly #full = new Set<Readable>();

  constructor(socket: WebSocket, protocol: ChannelProtocol) {
    this.protocol = protocol;
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(bytesOf(data)));
    socket.on('error', () => socket.terminate());
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        for (const reader of this.#readers.values()) reader.push(null);
        resolve();
      });
    });
    socket.resume();
  }

  /** Opens the connection with the first protocol that both sides know. Responds with 403 and returns undefined if there is none. */
  static async accept(ctx: ApiContext, protocols: readonly ChannelProtocol[]): Promise<WebSocketChannels | undefined> {
    const negotiated = negotiateProtocol(
      ctx,
      protocols.map(({ name }) => name),
    );
    const protocol = protocols.find(({ name }) => name === negotiated);
    if (protocol === undefined) return undefined;
    const socket = await acceptWebSocket(ctx, { protocol: protocol.name || undefined, maxMessage });
    return new WebSocketChannels(socket, protocol);
  }

  /** What the client sends on a channel. */
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

  /** Ends the connection when all was sent. */
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
