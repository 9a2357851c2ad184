import { Duplex } from 'node:stream';
import { type Counts, FlowWindow } from './flow-window.ts';
import type { Headers } from './header-block.ts';
import { SpdyError, type SpdyStatus } from './spdy-error.ts';

/** What a stream asks of its connection. */
export interface StreamTransport {
  readonly windows: Counts;
  reply(stream: SpdyStream, headers: Headers): void;
  /** Resolves when there is room for more. */
  data(stream: SpdyStream, data: Buffer, isFinal: boolean): Promise<void>;
  reset(stream: SpdyStream, status: SpdyStatus): void;
  /** This side has read so many bytes. */
  consumed(stream: SpdyStream, bytes: number): void;
  forget(stream: SpdyStream): void;
}

export interface StreamFacts {
  readonly id: number;
  /** As the side that opened the stream has sent them. */
  readonly headers: Headers;
  /** Whether this side opened it. */
  readonly isOwn: boolean;
}

/** Bytes that are kept for whoever reads a stream; then the whole connection waits. */
const readLimit = 256 * 1024;

/** One stream of a connection. Either side can be ended by itself. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: Headers;
  readonly #transport: StreamTransport;
  readonly #window: FlowWindow;
  /** Data may be sent once the other side has accepted the stream. */
  readonly #accepted: Promise<void>;
  #accept: () => void = () => undefined;
  #isReset = false;
  #isFinished = false;
  #resume: (() => void) | undefined;

  constructor({ id, headers, isOwn }: StreamFacts, transport: StreamTransport) {
    super({ allowHalfOpen: true, readableHighWaterMark: readLimit });
    this.id = id;
    this.headers = headers;
    this.#transport = transport;
    this.#window = new FlowWindow(transport.windows);
    this.#accepted = new Promise((resolve) => {
      this.#accept = resolve;
    });
    if (!isOwn) this.#accept();
    this.on('close', () => transport.forget(this));
    // who waits for the stream hears of it; who does not must not end the process
    this.on('error', () => undefined);
  }

  /** Accepts a stream that the other side has opened. */
  reply(headers: Headers = {}): void {
    this.#transport.reply(this, headers);
  }

  /** Ends both directions at once. */
  reset(status: SpdyStatus = 'cancel'): void {
    if (this.destroyed) return;
    this.#isReset = true;
    this.#transport.reset(this, status);
    this.destroy();
  }

  /** The other side has accepted the stream. */
  accepted(): void {
    this.#accept();
  }

  /** The other side has sent data. Resolves when there is room for more. */
  async received(data: Buffer, isFinal: boolean): Promise<void> {
    if (this.destroyed) return;
    if (this.#isFinished) return this.reset('streamAlreadyClosed');
    const hasRoom = data.length === 0 || this.push(data);
    if (isFinal) this.finished();
    if (!hasRoom) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
    if (!isFinal) this.#transport.consumed(this, data.length);
  }

  /** The other side sends no data any more. */
  finished(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.push(null);
  }

  /** The other side has reset the stream, or the connection is closed. @param error undefined if the other side meant it */
  lost(error: SpdyError | undefined): void {
    this.#isReset = true;
    if (error === undefined) this.finished();
    else this.destroy(error);
  }

  /** The other side has room for so many bytes more. */
  widen(bytes: number): void {
    this.#window.widen(bytes);
  }

  override _read(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#accepted.then(() => this.#transport.data(this, Buffer.alloc(0), true)).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this._read();
    this.#accept();
    this.#window.close();
    const isComplete = this.readableEnded && this.writableFinished;
    if (!this.#isReset && !isComplete) this.#transport.reset(this, 'cancel');
    done(error);
  }

  async #send(chunk: Buffer): Promise<void> {
    await this.#accepted;
    for (let rest = chunk; rest.length > 0; ) {
      const size = await this.#window.take(rest.length);
      if (this.destroyed) throw new SpdyError('streamAlreadyClosed', 'the stream is closed');
      await this.#transport.data(this, rest.subarray(0, size), false);
      rest = rest.subarray(size);
    }
  }
}
