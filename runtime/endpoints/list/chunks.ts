/** Enough that the cost of a write is nothing, little enough that filling one holds the event loop for a moment. */
const largeChunk = 256 * 1024;
/** While many lists are sent, so that all of them together hold no more than a few MiB. */
const smallChunk = 64 * 1024;
/** So many lists get large chunks. */
const fewLists = 16;
/** How many of each size are kept for the next list. */
const keptChunks = 16;

const free: { readonly [size: number]: Buffer[] } = { [largeChunk]: [], [smallChunk]: [] };
let taken = 0;

/** @param mayReuse false: memory that nobody had, and that nobody will get */
export function takeChunk(mayReuse: boolean): Buffer {
  taken += 1;
  const size = taken <= fewLists ? largeChunk : smallChunk;
  return (mayReuse ? free[size].pop() : undefined) ?? Buffer.allocUnsafeSlow(size);
}

/** Gives a chunk back. @param isIdle nobody reads from it any more */
export function releaseChunk(chunk: Buffer, isIdle: boolean): void {
  taken -= 1;
  const kept = free[chunk.length];
  if (isIdle && kept.length < keptChunks) kept.push(chunk);
}
