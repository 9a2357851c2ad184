import { Duplex } from 'node:stream';
import { type Counts, FlowWindow } from './flow-window.ts';
import type { Headers } from './header-block.ts';
import { SpdyError, type SpdyStatus } from './spdy-error.ts';

/** The connection as a stream sees it. */
export interface StreamTransport {
  readonly windows: Counts;
  reply(stream: SpdyStream, headers: Headers): void;
  /** Resolves when there is room for more. */
  data(stream: SpdyStream, data: Buffer, isFinal: boolean): Promise<void>;
  reset(stream: SpdyStream, status: SpdyStatus): void;
  /** Reports bytes that this side has read. */
  consumed(stream: SpdyStream, bytes: number): void;
  forget(stream: SpdyStream): void;
}

export interface StreamFacts {
  readonly id: number;
  /** The headers from the side that opened the stream. */
  readonly headers: Headers;
  /** This side opened the stream. */
  readonly isOwn: boolean;
}

/** Unread bytes of a stream above which the whole connection waits. */
const readLimit = 256 * 1024;

/** One stream of a connection. Each direction ends by itself. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: Headers;
  readonly #transport: StreamTransport;
  readonly #window: FlowWindow;
  /** Resolves when the other side accepts the stream. Data waits for it. */
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
    // an error without a listener must not end the process
    this.on('error', () => undefined);
  }

  /** Accepts a stream of the other side. */
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

  /** Handles acceptance by the other side. */
  accepted(): void {
    this.#accept();
  }

  /** Handles data from the other side. Resolves when there is room for more. */
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

  /** Handles the end of the other side's data. */
  finished(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.push(null);
  }

  /** Handles a reset by the other side, or the end of the connection. @param error undefined for an intended end */
  lost(error: SpdyError | undefined): void {
    this.#isReset = true;
    if (error === undefined) this.finished();
    else this.destroy(error);
  }

  /** Widens the send window. */
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
