import { respondBytes } from '../../http/respond.ts';
import type { ApiContext } from '../../http/state.ts';
import { openStream } from '../../http/stream.ts';

/** Pieces are gathered into chunks of this many bytes: large enough that the cost of a write is nothing, small enough that one chunk holds the event loop for well under a millisecond. */
const chunkBytes = 128 * 1024;

/** Sends pieces as one answer, at the speed of the client and in slices that let others run. */
export async function streamPieces(ctx: ApiContext, contentType: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const chunks: Iterator<Uint8Array> = inChunks(pieces);
  const first = chunks.next();
  const second = chunks.next();
  if (second.done) {
    await respondBytes(ctx, 200, contentType, first.done ? new Uint8Array() : first.value);
    return;
  }
  const stream = openStream(ctx, contentType, { compress: true });
  if (!first.done) stream.write(first.value);
  for (let chunk: IteratorResult<Uint8Array> = second; !chunk.done && !stream.closed; chunk = chunks.next()) {
    if (stream.write(chunk.value)) await nextTurn();
    else await stream.drained();
  }
  stream.end();
}

function* inChunks(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    gathered.push(piece);
    size += piece.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(gathered, size);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
