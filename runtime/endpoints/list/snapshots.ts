import { badRequest, resourceExpired, timeout } from '../../machinery/errors/status.ts';
import { quoteExcerpt } from '../../machinery/go/quote.ts';
import { maxUint64 } from '../../machinery/scalars/integers.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, Snapshot } from '../../storage/object-store/contract.ts';

/** How long a read waits for a revision that has not happened yet. (cacher blockTimeout) */
const freshnessTimeoutMs = 3_000;
/** When to ask again for a revision that has not happened yet. (cacher resourceVersionTooHighRetrySeconds) */
const retryAfterSeconds = 1;

const compactedList = 'The resourceVersion for the provided list is too old.';

/**
 * A resourceVersion as a number. Upstream answers 500 to a get or a watch with something else; here it is 400 for all.
 *
 * @throws StatusError 400 for what is none
 */
export function parseResourceVersion(text: string): number {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && isUint64(text)) return Number(text);
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  const value = quoteExcerpt(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${value}: strconv.ParseUint: parsing ${value}: ${why}`,
  );
}

/** Of digits; so many that they would take long to read are too many. */
function isUint64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length <= 20 && BigInt(significant) <= maxUint64;
}

/**
 * Exactly this revision; waits a while for one that has not happened yet.
 *
 * @param asked a resourceVersion, or the revision of a continue token
 * @throws StatusError 400, 410, 504
 */
export async function exactSnapshot(
  collection: Collection,
  asked: string | number,
  signal?: AbortSignal,
): Promise<Snapshot> {
  await freshSnapshot(collection, asked, signal);
  return translated(asked, async () => collection.at(revisionOf(asked)));
}

/** A view at least as new; waits a while for one. @throws StatusError 400, 504 */
export function freshSnapshot(collection: Collection, asked: string | number, signal?: AbortSignal): Promise<Snapshot> {
  const revision = revisionOf(asked);
  const latest = collection.latest();
  if (latest.revision >= revision) return Promise.resolve(latest);
  return translated(asked, () =>
    collection.notOlderThan(revision, { timeoutMs: freshnessTimeoutMs, ...(signal ? { signal } : {}) }),
  );
}

const revisionOf = (asked: string | number): number =>
  typeof asked === 'number' ? asked : parseResourceVersion(asked);

async function translated(asked: string | number, read: () => Promise<Snapshot>): Promise<Snapshot> {
  try {
    return await read();
  } catch (error) {
    if (!isStorageError(error)) throw error;
    if (error.code === 'compacted') throw resourceExpired(compactedList);
    if (error.code === 'future') throw tooLargeResourceVersion(asked, error.revision ?? 0);
    throw error;
  }
}

/** Told as it was asked for, in all its digits. (apiserver pkg/storage/errors.go NewTooLargeResourceVersionError) */
function tooLargeResourceVersion(asked: string | number, current: number) {
  return timeout(`Too large resource version: ${BigInt(asked)}, current: ${current}`, retryAfterSeconds, [
    { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
  ]);
}
