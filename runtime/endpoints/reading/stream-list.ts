import { respondBytes } from '../../http/respond.ts';
import type { ApiContext } from '../../http/state.ts';
import { openStream } from '../../http/stream.ts';
import { type ListBody, type Piece, pieceLength, writePiece } from '../forms/list-body.ts';

/** Pieces are gathered into chunks of this many bytes: enough that the cost of a write is nothing, little enough that one chunk holds the event loop for less than a millisecond. */
const chunkBytes = 256 * 1024;
/** How much may wait for a slow client. Twice a chunk, so that there is always one to send while the next is made. */
const waitingBytes = 2 * chunkBytes;

/** Sends a list as one answer, at the speed of the client and in slices that let others run. */
export async function streamList(ctx: ApiContext, contentType: string, { length, pieces }: ListBody): Promise<void> {
  const chunks = inChunks(pieces, length);
  const first = chunks.next();
  const second = chunks.next();
  if (second.done) {
    await respondBytes(ctx, 200, contentType, first.done ? new Uint8Array() : first.value);
    return;
  }
  if (length !== undefined && !ctx.state.gzip) ctx.res.setHeader('Content-Length', length);
  const stream = openStream(ctx, contentType, { compress: true });
  stream.write(first.value as Uint8Array);
  for (let chunk: IteratorResult<Uint8Array> = second; !chunk.done && !stream.closed; chunk = chunks.next()) {
    stream.write(chunk.value);
    if (stream.pending > waitingBytes) await stream.drained();
    else await nextTurn();
  }
  stream.end();
}

function* inChunks(pieces: Iterable<Piece>, length = Number.POSITIVE_INFINITY): Generator<Uint8Array, undefined> {
  let left = length;
  let chunk = Buffer.allocUnsafe(Math.min(chunkBytes, left));
  let at = 0;
  for (const piece of pieces) {
    const size = pieceLength(piece);
    if (at + size > chunk.length) {
      if (at > 0) yield chunk.subarray(0, at);
      left -= at;
      chunk = Buffer.allocUnsafe(Math.max(size, Math.min(chunkBytes, left)));
      at = 0;
    }
    at = writePiece(piece, chunk, at);
  }
  if (at > 0) yield chunk.subarray(0, at);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
