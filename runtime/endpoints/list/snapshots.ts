import { badRequest, plainError, resourceExpired, tooLargeResourceVersion } from '../../machinery/errors/status.ts';
import { quoteExcerpt } from '../../machinery/go/quote.ts';
import { maxUint64 } from '../../machinery/scalars/integers.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, CollectionSnapshot } from '../../storage/object-store/contract.ts';

/** Milliseconds that a read waits for a future revision. (cacher blockTimeout) */
const freshnessTimeoutMs = 3_000;

const compactedList = 'The resourceVersion for the provided list is too old.';

/**
 * Parses the resourceVersion of a list.
 *
 * @throws StatusError 400 for anything but an unsigned 64-bit integer
 */
export function parseResourceVersion(text: string): number {
  const problem = problemOf(text);
  if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
  return Number(text);
}

/** Checks the resourceVersion of a get or a watch. @throws StatusError 500 for anything but "" and an unsigned 64-bit integer */
export function requireResourceVersion(text: string): void {
  const problem = text === '' ? undefined : problemOf(text);
  if (problem !== undefined) throw plainError(problem);
}

/** (apiserver storage APIObjectVersioner.ParseResourceVersion) */
function problemOf(text: string): string | undefined {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && isUint64(text)) return undefined;
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  const value = quoteExcerpt(text);
  return `resourceVersion: Invalid value: ${value}: strconv.ParseUint: parsing ${value}: ${why}`;
}

/** Checks a string of digits, without parsing one that is too long. */
function isUint64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length <= 20 && BigInt(significant) <= maxUint64;
}

/**
 * Returns the snapshot of exactly this revision. Waits a while for a future revision.
 *
 * @param version a resourceVersion, or the revision of a continue token
 * @throws StatusError 400, 410, 504
 */
export async function snapshotAt(collection: Collection, version: string | number, signal?: AbortSignal): Promise<CollectionSnapshot> {
  await snapshotNotOlderThan(collection, version, signal);
  return withStatusErrors(version, async () => collection.at(revisionOf(version)));
}

/**
 * Returns the snapshot for a read that accepts any version: the newest of this process, which may be older than the
 * store's.
 *
 * @param revision the newest revision that may be seen, if there is a limit; not compacted
 */
export function anySnapshot(collection: Collection, revision: number | undefined): CollectionSnapshot {
  const latest = collection.latest();
  if (revision === undefined || revision >= latest.revision) return latest;
  return collection.at(revision);
}

/**
 * Returns a snapshot of this revision or a later one.
 *
 * @param waits whether to wait a while for a future revision. Default: for resources that kube-apiserver caches
 * @throws StatusError 400, 504
 */
export function snapshotNotOlderThan(
  collection: Collection,
  version: string | number,
  signal?: AbortSignal,
  waits = collection.resource.isUncached !== true,
): Promise<CollectionSnapshot> {
  const revision = revisionOf(version);
  const latest = collection.latest();
  if (latest.revision >= revision) return Promise.resolve(latest);
  const options = { timeoutMs: waits ? freshnessTimeoutMs : 0, ...(signal ? { signal } : {}) };
  return withStatusErrors(version, () => collection.notOlderThan(revision, options), waits ? undefined : 0);
}

const revisionOf = (version: string | number): number => (typeof version === 'number' ? version : parseResourceVersion(version));

async function withStatusErrors(
  version: string | number,
  read: () => Promise<CollectionSnapshot>,
  retryAfterSeconds?: number,
): Promise<CollectionSnapshot> {
  try {
    return await read();
  } catch (error) {
    if (!isStorageError(error)) throw error;
    if (error.code === 'compacted') throw resourceExpired(compactedList);
    if (error.code === 'future') throw tooLargeResourceVersion(version, error.revision ?? 0, retryAfterSeconds);
    throw error;
  }
}
