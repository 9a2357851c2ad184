import type { ApiContext } from '../../http/context.ts';
import { respondBytes } from '../../http/respond.ts';
import { openStream } from '../../http/stream.ts';
import type { StreamWriter } from '../../http/stream-writer.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { type ListBody, type Piece, pieceLength, writePiece } from '../encodings/list-body.ts';
import { releaseChunk, takeChunk } from './chunks.ts';

/** The size up to which a list is sent with one write. */
const maxUnstreamedBytes = 128 * 1024;

/**
 * Sends a list at the speed of the client, and yields to other requests in between. A list of any length needs the memory
 * of one chunk, which is filled and sent repeatedly.
 */
export async function streamList(ctx: ApiContext, contentType: string, { length, pieces }: ListBody): Promise<void> {
  if (length !== undefined && length <= maxUnstreamedBytes) {
    await respondBytes(ctx, 200, contentType, concatenated(pieces, length));
    return;
  }
  if (length !== undefined && !ctx.state.acceptsGzip) ctx.res.setHeader('Content-Length', length);
  const response = new StreamedList(ctx, contentType, length === undefined);
  try {
    await response.send(pieces);
  } finally {
    response.release();
  }
}

function concatenated(pieces: Iterable<Piece>, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of pieces) at = writePiece(piece, bytes, at);
  return bytes.subarray(0, at);
}

class StreamedList {
  readonly #ctx: ApiContext;
  readonly #contentType: string;
  /** False if the response is compressed, because the compressor keeps reading from the memory. */
  readonly #mayReuse: boolean;
  /** The length is not known; if the list fits in the first chunk, it is sent with one write. */
  readonly #mayBeShort: boolean;
  #chunk: Buffer | undefined;
  #used = 0;
  /** Nothing reads from the chunk. */
  #isIdle = true;
  #stream: StreamWriter | undefined;

  constructor(ctx: ApiContext, contentType: string, mayBeShort: boolean) {
    this.#ctx = ctx;
    this.#contentType = contentType;
    this.#mayReuse = ctx.state.acceptsGzip !== true;
    this.#mayBeShort = mayBeShort;
  }

  async send(pieces: Iterable<Piece>): Promise<void> {
    const slice = new TimeSlice();
    for (const piece of pieces) {
      const size = pieceLength(piece);
      if (size > this.#room.length - this.#used) {
        if (this.#used > 0) {
          await this.#flush();
          await slice.next();
        }
        if (this.#stream?.closed) return;
        if (size > this.#room.length) {
          await this.#write(piece instanceof Uint8Array ? piece : piece.json).drained();
          await slice.next();
          continue;
        }
      }
      this.#used = writePiece(piece, this.#room, this.#used);
      if (slice.isOver) await slice.next();
    }
    await this.#finish();
  }

  /** Releases the chunk, which is reused only if nothing reads from it. */
  release(): void {
    const chunk = this.#chunk;
    this.#chunk = undefined;
    if (chunk !== undefined) releaseChunk(chunk, this.#mayReuse && this.#isIdle);
  }

  get #room(): Buffer {
    this.#chunk ??= takeChunk(this.#mayReuse);
    return this.#chunk;
  }

  /** Sends the content of the chunk. Resolves when the chunk can be filled again. */
  async #flush(): Promise<void> {
    this.#isIdle = false;
    const stream = this.#write(this.#room.subarray(0, this.#used));
    this.#used = 0;
    await stream.drained();
    this.#isIdle = !stream.closed && stream.pending === 0;
    if (!this.#mayReuse || !this.#isIdle) this.release();
  }

  #write(bytes: Uint8Array): StreamWriter {
    this.#stream ??= openStream(this.#ctx, this.#contentType, { compress: true });
    this.#stream.write(bytes);
    return this.#stream;
  }

  async #finish(): Promise<void> {
    if (this.#stream === undefined && this.#mayBeShort) {
      const whole = Buffer.from(this.#room.subarray(0, this.#used));
      await respondBytes(this.#ctx, 200, this.#contentType, whole);
      return;
    }
    if (this.#used > 0) await this.#flush();
    this.#stream?.end();
  }
}
