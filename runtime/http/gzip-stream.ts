import { constants, createGzip, type Gzip } from 'node:zlib';
import type { ApiContext } from './context.ts';
import { gzipLevel, gzipThreshold } from './respond.ts';
import type { StreamWriter } from './stream-writer.ts';

/**
 * Buffers a response up to the threshold of compression. Compresses a larger response, and sends a smaller one
 * unchanged.
 */
export class GzipStream implements StreamWriter {
  readonly #ctx: ApiContext;
  readonly #out: StreamWriter;
  #buffered: Buffer[] | undefined = [];
  #bufferedBytes = 0;
  #gzip: Gzip | undefined;
  #full = false;

  /** @param out writes to the same response */
  constructor(ctx: ApiContext, out: StreamWriter) {
    this.#ctx = ctx;
    this.#out = out;
  }

  get closed(): boolean {
    return this.#out.closed;
  }

  get pending(): number {
    return this.#out.pending + this.#bufferedBytes + (this.#gzip?.writableLength ?? 0);
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#out.closed) return true;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#buffered === undefined) return this.#compress(bytes);
    this.#buffered.push(bytes as Buffer);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes <= gzipThreshold) return true;
    const buffered = Buffer.concat(this.#buffered);
    this.#buffered = undefined;
    this.#bufferedBytes = 0;
    this.#start();
    return this.#compress(buffered);
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
    const body = Buffer.concat(this.#buffered ?? []);
    this.#ctx.res.setHeader('Content-Length', body.length);
    this.#out.write(body);
    this.#out.end();
  }

  abort(): void {
    this.#out.abort();
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
    gzip.on('data', (compressed: Buffer) => {
      if (this.#out.write(compressed)) return;
      gzip.pause();
      void this.#out.drained().then(() => gzip.resume());
    });
    gzip.on('end', () => this.#out.end());
    gzip.on('error', () => this.#out.abort());
    this.#out.onClose(() => gzip.destroy());
  }

  #compress(bytes: Uint8Array): boolean {
    if (!this.#gzip?.write(bytes)) this.#full = true;
    return !this.#full;
  }
}
