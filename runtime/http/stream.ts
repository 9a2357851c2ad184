import type { ApiContext } from './context.ts';
import { abortResponse } from './cut-answer.ts';
import { GzipStream } from './gzip-stream.ts';
import { setRecordedHeaders } from './response.ts';
import { OpenStream, type StreamWriter } from './stream-writer.ts';
import { setWarningHeaders } from './warning-header.ts';

export interface StreamOptions {
  /** For lists: compress when the client takes gzip and the answer grows past the threshold; headers wait until that is known. */
  readonly compress?: boolean;
}

/** Begins a streamed answer. Watches: the headers go out at once, before the first event. */
export function openStream(ctx: ApiContext, contentType: string, options: StreamOptions = {}): StreamWriter {
  const { res } = ctx;
  res.statusCode = 200;
  if (!res.headersSent) {
    setRecordedHeaders(ctx);
    res.setHeader('Content-Type', contentType);
    setWarningHeaders(ctx);
  }
  if (options.compress && ctx.state.gzip) return new GzipStream(ctx, new PlainStream(res));
  if (!options.compress && !res.headersSent) res.flushHeaders();
  return new PlainStream(res);
}

/** Writes through to the response. */
class PlainStream extends OpenStream {
  readonly #res: ApiContext['res'];
  protected override isFull = false;

  constructor(res: ApiContext['res']) {
    super();
    this.#res = res;
    const close = (): void => this.noteClosed();
    this.#res.on('close', close);
    this.#res.on('error', close);
    this.#res.on('drain', () => {
      this.isFull = false;
      this.noteRoom();
    });
    if (this.#res.writableEnded || this.#res.destroyed) close();
  }

  override get pending(): number {
    return this.#res.writableLength;
  }

  override write(chunk: Uint8Array | string): boolean {
    if (this.closed) return true;
    if (!this.#res.write(chunk)) this.isFull = true;
    return !this.isFull;
  }

  protected override finish(): void {
    this.#res.end();
  }

  protected override destroy(): void {
    abortResponse(this.#res);
  }
}
