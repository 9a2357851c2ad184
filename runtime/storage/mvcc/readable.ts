import { StorageError } from '../errors.ts';

/** Throws `compacted` or `future` unless compacted < revision <= newest. */
export function checkReadable(revision: number, compacted: number, newest: number): void {
  checkNotFuture(revision, newest);
  checkNotCompacted(revision, compacted);
}

export function checkNotFuture(revision: number, newest: number): void {
  if (revision > newest) throw futureError(revision, newest);
}

export function futureError(revision: number, newest: number): StorageError {
  return new StorageError('future', `revision ${revision} does not exist yet; the newest is ${newest}`, newest);
}

export function checkNotCompacted(revision: number, compacted: number): void {
  if (revision <= compacted) {
    throw new StorageError('compacted', `revision ${revision} was compacted, like all revisions up to ${compacted}`, compacted);
  }
}
