/** Large enough that the cost of a write does not matter, small enough that filling it blocks the event loop only briefly. */
const largeChunk = 256 * 1024;
/** Used while many lists are being sent, so that all of them together hold a few MiB at most. */
const smallChunk = 64 * 1024;
/** The number of lists that get large chunks. */
const fewLists = 16;
/** The number of free chunks of each size that are retained. */
const maxFreeChunks = 16;

const free: ReadonlyMap<number, Buffer[]> = new Map([
  [largeChunk, []],
  [smallChunk, []],
]);
let taken = 0;

/** @param mayReuse false for memory that is not reused, before or after */
export function takeChunk(mayReuse: boolean): Buffer {
  taken += 1;
  const size = taken <= fewLists ? largeChunk : smallChunk;
  return (mayReuse ? free.get(size)?.pop() : undefined) ?? Buffer.allocUnsafeSlow(size);
}

/** @param isIdle true if nothing reads from the chunk any more */
export function releaseChunk(chunk: Buffer, isIdle: boolean): void {
  taken -= 1;
  const chunks = free.get(chunk.length);
  if (isIdle && chunks !== undefined && chunks.length < maxFreeChunks) chunks.push(chunk);
}
