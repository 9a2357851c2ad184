import { bucketNames } from './buckets.ts';
import { unseal } from './checksum.ts';
import { decodeRevision } from './records.ts';

/**
 * Returns the problem of an entry of the data file, without decompressing: reads verify the records of the log. A
 * damaged index is reported at once, because a misplaced key looks deleted.
 */
export function entryProblem(bucket: string, key: Buffer, value: Buffer): string | undefined {
  if (bucket === 'log') {
    const isRevision = key.length === 8 && decodeRevision(key) <= Number.MAX_SAFE_INTEGER;
    return isRevision ? undefined : 'a change has no revision';
  }
  if (!(bucketNames as readonly string[]).includes(bucket)) return 'this is no bucket of a store';
  return unseal(key, value) === undefined ? `the entry of ${printable(key)} is damaged` : undefined;
}

/** Returns the key without the revision at the end of a history key. */
function printable(key: Buffer): string {
  const end = key.indexOf(0);
  return JSON.stringify(key.toString('utf8', 0, end < 0 ? key.length : end));
}
