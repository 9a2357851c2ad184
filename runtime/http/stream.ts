import type { ApiContext } from './context.ts';
import { GzipStream } from './gzip-stream.ts';
import type { RequestState } from './request-state.ts';
import { abortResponse, setRecordedHeaders } from './response.ts';
import { OpenStream, type StreamWriter } from './stream-writer.ts';
import { setWarningHeaders } from './warning-header.ts';

export interface StreamOptions {
  /**
   * Compresses a list if the client accepts gzip and the response exceeds the threshold. The headers are sent when this
   * is decided. Default: false, and the headers are sent at once, before the first event of a watch.
   */
  readonly compress?: boolean;
}

/** Begins a response in chunks. */
export function openStream(ctx: ApiContext, contentType: string, options: StreamOptions = {}): StreamWriter {
  const { res } = ctx;
  res.statusCode = 200;
  if (!res.headersSent) {
    setRecordedHeaders(ctx);
    res.setHeader('Content-Type', contentType);
    setWarningHeaders(ctx);
  }
  ctx.state.audit?.responseStarted(200);
  if (options.compress && ctx.state.acceptsGzip) return new GzipStream(ctx, new PlainStream(ctx));
  if (!options.compress && !res.headersSent) res.flushHeaders();
  return new PlainStream(ctx);
}

/** Writes chunks to the response unchanged. */
class PlainStream extends OpenStream {
  readonly #res: ApiContext['res'];
  readonly #state: RequestState;
  protected override isFull = false;

  constructor({ res, state }: ApiContext) {
    super();
    this.#res = res;
    this.#state = state;
    const close = (): void => this.onClosed();
    this.#res.on('close', close);
    this.#res.on('error', close);
    this.#res.on('drain', () => {
      this.isFull = false;
      this.onRoom();
    });
    if (this.#res.writableEnded || this.#res.destroyed) close();
  }

  override get pending(): number {
    return this.#res.writableLength;
  }

  override write(chunk: Uint8Array | string): boolean {
    if (this.closed) return true;
    this.#state.bytesSent += chunk.length;
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
