import { badRequest, resourceExpired, timeout } from '../../machinery/status.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, Snapshot } from '../../storage/object-store/contract.ts';

/** How long a read waits for a revision that has not happened yet. (cacher blockTimeout) */
export const freshnessTimeoutMs = 3_000;

const compactedList = 'The resourceVersion for the provided list is too old.';

/**
 * A resourceVersion as a number.
 *
 * @throws StatusError 400 for what is none
 */
export function parseResourceVersion(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw badRequest(
      `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}

/** Exactly this revision. @throws StatusError 410, 504 */
export function exactSnapshot(collection: Collection, revision: number): Promise<Snapshot> {
  return translated(async () => collection.at(revision));
}

/** A view at least as new; waits a while for one. @throws StatusError 504 */
export function freshSnapshot(collection: Collection, revision: number, signal?: AbortSignal): Promise<Snapshot> {
  const latest = collection.latest();
  if (latest.revision >= revision) return Promise.resolve(latest);
  return translated(
    () => collection.notOlderThan(revision, { timeoutMs: freshnessTimeoutMs, ...(signal ? { signal } : {}) }),
    revision,
  );
}

async function translated(read: () => Promise<Snapshot>, asked?: number): Promise<Snapshot> {
  try {
    return await read();
  } catch (error) {
    if (!isStorageError(error)) throw error;
    if (error.code === 'compacted') throw resourceExpired(compactedList);
    if (error.code === 'future') throw tooLargeResourceVersion(asked ?? Number.NaN, error.revision ?? 0);
    throw error;
  }
}

/** (apiserver pkg/storage/errors.go NewTooLargeResourceVersionError) */
function tooLargeResourceVersion(asked: number, current: number) {
  const what = Number.isNaN(asked)
    ? 'Too large resource version'
    : `Too large resource version: ${asked}, current: ${current}`;
  return timeout(what, 1, [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]);
}
