import { StorageError } from '../errors.ts';

/** Throws unless compacted < revision <= newest. */
export function checkReadable(revision: number, compacted: number, newest: number): void {
  if (revision > newest) {
    throw new StorageError('future', `revision ${revision} has not happened yet, the newest is ${newest}`, newest);
  }
  checkNotCompacted(revision, compacted);
}

export function checkNotCompacted(revision: number, compacted: number): void {
  if (revision <= compacted) {
    throw new StorageError(
      'compacted',
      `revision ${revision} has been compacted, as all up to ${compacted}`,
      compacted,
    );
  }
}
