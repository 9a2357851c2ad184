import { constants, createGzip, type Gzip } from 'node:zlib';
import { setNotedHeaders } from './answer-head.ts';
import type { ApiContext } from './context.ts';
import { gzipLevel, gzipThreshold } from './respond.ts';
import { StreamLife } from './stream-life.ts';
import { setWarningHeaders } from './warning-header.ts';

/** Writes an answer in pieces: long lists and watches. */
export interface StreamWriter {
  /** Queues a piece. False: the client is slower than the writer, which should wait for `drained`. Ignored once closed. */
  write(chunk: Uint8Array | string): boolean;
  /** Resolves when the queue is short again, at once if it is; also when the stream closes. */
  drained(): Promise<void>;
  /** Ends the answer in order. */
  end(): void;
  /** Ends the answer so that the client sees that it is not whole. */
  cut(): void;
  /** The client is gone, or `end` or `cut` was called. */
  readonly closed: boolean;
  /** Bytes queued and not yet taken by the network. */
  readonly pending: number;
  /** Calls back once when the stream closes, at once if it has. */
  onClose(listener: () => void): void;
}

export interface StreamOptions {
  readonly code?: number;
  /** For lists: compress when the client takes gzip and the answer grows past the threshold; headers wait until that is known. */
  readonly compress?: boolean;
}

/** Begins a streamed answer. Watches: the headers go out at once, before the first event. */
export function openStream(ctx: ApiContext, contentType: string, options: StreamOptions = {}): StreamWriter {
  const { res } = ctx;
  res.statusCode = options.code ?? 200;
  if (!res.headersSent) {
    setNotedHeaders(ctx);
    res.setHeader('Content-Type', contentType);
    setWarningHeaders(ctx);
  }
  if (options.compress && ctx.state.gzip) return new HeldStream(ctx);
  if (!options.compress && !res.headersSent) res.flushHeaders();
  return new PlainStream(ctx);
}

/** Writes through to the response. */
class PlainStream implements StreamWriter {
  readonly #res: ApiContext['res'];
  readonly #life = new StreamLife();
  #full = false;

  constructor(ctx: ApiContext) {
    this.#res = ctx.res;
    const close = (): void => this.#life.close();
    this.#res.on('close', close);
    this.#res.on('error', close);
    this.#res.on('drain', () => {
      this.#full = false;
      this.#life.release();
    });
    if (this.#res.writableEnded || this.#res.destroyed) close();
  }

  get closed(): boolean {
    return this.#life.closed;
  }

  get pending(): number {
    return this.#res.writableLength;
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.closed) return true;
    if (!this.#res.write(chunk)) this.#full = true;
    return !this.#full;
  }

  drained(): Promise<void> {
    return this.#full && !this.closed ? this.#life.wait() : Promise.resolve();
  }

  end(): void {
    if (this.closed) return;
    this.#res.end();
    this.#life.close();
  }

  cut(): void {
    if (this.closed) return;
    const stream = (this.#res as unknown as { stream?: { close(code: number): void } }).stream;
    if (stream) stream.close(2);
    else this.#res.destroy();
    this.#life.close();
  }

  onClose(listener: () => void): void {
    this.#life.onClose(listener);
  }
}

/** Holds what is written until it is clear whether it is worth compressing. */
class HeldStream implements StreamWriter {
  readonly #ctx: ApiContext;
  readonly #out: PlainStream;
  #held: Buffer[] | undefined = [];
  #heldBytes = 0;
  #gzip: Gzip | undefined;
  #full = false;

  constructor(ctx: ApiContext) {
    this.#ctx = ctx;
    this.#out = new PlainStream(ctx);
  }

  get closed(): boolean {
    return this.#out.closed;
  }

  get pending(): number {
    return this.#out.pending + this.#heldBytes + (this.#gzip?.writableLength ?? 0);
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#out.closed) return true;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#held === undefined) return this.#pack(bytes);
    this.#held.push(bytes as Buffer);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes <= gzipThreshold) return true;
    const held = Buffer.concat(this.#held);
    this.#held = undefined;
    this.#heldBytes = 0;
    this.#start();
    return this.#pack(held);
  }

  async drained(): Promise<void> {
    if (this.#out.closed) return;
    if (this.#full && this.#gzip) {
      const gzip = this.#gzip;
      await new Promise<void>((resolve) => {
        gzip.once('drain', resolve);
        this.#out.onClose(resolve);
      });
      this.#full = false;
    }
    await this.#out.drained();
  }

  end(): void {
    if (this.#out.closed) return;
    if (this.#gzip) {
      this.#gzip.end();
      return;
    }
    const body = Buffer.concat(this.#held ?? []);
    this.#ctx.res.setHeader('Content-Length', body.length);
    this.#out.write(body);
    this.#out.end();
  }

  cut(): void {
    this.#out.cut();
  }

  onClose(listener: () => void): void {
    this.#out.onClose(listener);
  }

  #start(): void {
    const { res } = this.#ctx;
    res.setHeader('Content-Encoding', 'gzip');
    res.appendHeader('Vary', 'Accept-Encoding');
    const gzip = createGzip({ level: gzipLevel, flush: constants.Z_NO_FLUSH });
    this.#gzip = gzip;
    gzip.on('data', (packed: Buffer) => {
      if (this.#out.write(packed)) return;
      gzip.pause();
      void this.#out.drained().then(() => gzip.resume());
    });
    gzip.on('end', () => this.#out.end());
    gzip.on('error', () => this.#out.cut());
    this.#out.onClose(() => gzip.destroy());
  }

  #pack(bytes: Uint8Array): boolean {
    if (!this.#gzip?.write(bytes)) this.#full = true;
    return !this.#full;
  }
}
