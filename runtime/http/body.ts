import { badRequest, requestEntityTooLarge, type StatusError } from '../machinery/errors/status.ts';
import type { ApiContext } from './context.ts';
import { sendContinue } from './continue.ts';

/** The size limit of a body. (apiserver MaxRequestBodyBytes) */
export const maxBodyBytes = 3 * 1024 * 1024;

/**
 * Reads the whole body, once: later calls return the same buffer. As in upstream, a Content-Encoding does not count.
 *
 * @throws StatusError 413 past `maxBodyBytes`; 400 if the body ends early or the request is aborted
 */
export async function readBody(ctx: ApiContext): Promise<Buffer> {
  ctx.state.body ??= await receiveBody(ctx);
  return ctx.state.body;
}

async function receiveBody(ctx: ApiContext): Promise<Buffer> {
  const declared = Number(ctx.req.headers['content-length'] ?? Number.NaN);
  if (declared > maxBodyBytes) throw tooLarge(ctx);
  return declared === 0 ? Buffer.alloc(0) : collect(ctx);
}

function collect(ctx: ApiContext): Promise<Buffer> {
  const { req } = ctx;
  sendContinue(req);
  return new Promise((resolve, reject) => {
    const chunks = new BodyChunks();
    let settled = false;
    const onData = (chunk: Buffer): void => {
      if (chunks.size + chunk.length > maxBodyBytes) settle(() => reject(tooLarge(ctx)));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(chunks.whole()));
    const onInterrupted = (): void => settle(() => reject(badRequest('unexpected EOF')));
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      req.off('data', onData).off('end', onEnd).off('error', onInterrupted).off('aborted', onInterrupted).off('close', onInterrupted);
      finish();
    };
    req.on('data', onData).on('end', onEnd).on('error', onInterrupted).on('aborted', onInterrupted).on('close', onInterrupted);
    // a client may stay connected and send nothing more
    ctx.state.onAbort(onInterrupted);
    if (req.readableEnded || req.destroyed) onInterrupted();
  });
}

/** Smaller chunks are copied into blocks. */
const smallBytes = 4096;
const blockBytes = 16 * 1024;

/**
 * The received part of a body. Each chunk is a buffer with an overhead of about a hundred bytes, and a client may send a
 * body byte by byte; so small chunks are copied into blocks.
 */
class BodyChunks {
  size = 0;
  readonly #chunks: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  push(chunk: Buffer): void {
    // Most bodies are a single chunk, which needs no copy.
    const isFirst = this.size === 0;
    this.size += chunk.length;
    if (chunk.length >= smallBytes || isFirst) {
      this.#endBlock();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#block !== undefined && this.#used + chunk.length > blockBytes) this.#endBlock();
    this.#block ??= Buffer.allocUnsafeSlow(blockBytes);
    this.#used += chunk.copy(this.#block, this.#used);
  }

  whole(): Buffer {
    this.#endBlock();
    const [only, ...others] = this.#chunks;
    return only && others.length === 0 ? only : Buffer.concat(this.#chunks, this.size);
  }

  #endBlock(): void {
    if (this.#block !== undefined) this.#chunks.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}

/** Closes an HTTP/1 connection after the response, because the rest of the body stays unread. */
function tooLarge(ctx: ApiContext): StatusError {
  if (ctx.req.httpVersionMajor === 1 && !ctx.res.headersSent) ctx.res.setHeader('Connection', 'close');
  return requestEntityTooLarge(`Request entity too large: limit is ${maxBodyBytes}`);
}
