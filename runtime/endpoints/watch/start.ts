import type { ListOptions } from '../../http/options/read-options.ts';
import { resourceExpired } from '../../machinery/errors/status.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, Snapshot } from '../../storage/object-store/contract.ts';
import { freshSnapshot, parseResourceVersion } from '../list/snapshots.ts';

/** Where a watch begins. */
export interface WatchStart {
  /** Events strictly after this revision are sent. */
  readonly after: number;
  /** Its objects are sent first, as ADDED. */
  readonly state?: Snapshot;
  /** A bookmark tells when the state has been sent. (KEP-3157) */
  readonly markEndOfState: boolean;
}

/**
 * The API concepts' "Semantics for watch". Upstream has only `sendInitialEvents` decide what is shown first; watches of
 * the old paths, which do not set it, show the state of no version and of any.
 *
 * @throws StatusError 410, 504
 */
export async function startOfWatch(
  collection: Collection,
  { resourceVersion, sendInitialEvents, allowWatchBookmarks }: ListOptions,
  signal: AbortSignal,
): Promise<WatchStart> {
  const revision = resourceVersion === '' ? 0 : parseResourceVersion(resourceVersion);
  if (revision > 0 && !sendInitialEvents) {
    requireHistory(collection, revision);
    return { after: revision, markEndOfState: false };
  }
  const state =
    resourceVersion === '' ? await collection.mostRecent() : await freshSnapshot(collection, resourceVersion, signal);
  if (sendInitialEvents === false) return { after: state.revision, markEndOfState: false };
  return { after: state.revision, state, markEndOfState: sendInitialEvents === true && allowWatchBookmarks };
}

function requireHistory(collection: Collection, revision: number): void {
  try {
    collection.requireHistory(revision);
  } catch (error) {
    throw expiredWatch(error, revision);
  }
}

/** What a watch of a revision that is compacted is told. Other errors come back as they are. */
export function expiredWatch(error: unknown, revision: number): unknown {
  if (!isStorageError(error) || error.code !== 'compacted') return error;
  return resourceExpired(`too old resource version: ${revision} (${(error.revision ?? 0) + 1})`);
}
