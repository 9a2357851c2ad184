import type { ListOptions } from '../../http/query.ts';
import { resourceExpired } from '../../machinery/status.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, Snapshot } from '../../storage/object-store/contract.ts';
import { freshSnapshot, parseResourceVersion } from '../reading/snapshots.ts';

/** Where a watch begins. */
export interface WatchStart {
  /** Events strictly after this revision are sent. */
  readonly after: number;
  /** Its objects are sent first, as ADDED. */
  readonly state?: Snapshot;
  /** A bookmark tells when the state has been sent. (KEP-3157) */
  readonly markEndOfState: boolean;
}

/** The API concepts' "Semantics for watch". @throws StatusError 400, 410, 504 */
export async function startOfWatch(
  collection: Collection,
  { resourceVersion, sendInitialEvents, allowWatchBookmarks }: ListOptions,
  signal: AbortSignal,
): Promise<WatchStart> {
  const revision = resourceVersion === '' ? 0 : parseResourceVersion(resourceVersion);
  if (sendInitialEvents) {
    const state =
      resourceVersion === '' ? await collection.mostRecent() : await freshSnapshot(collection, revision, signal);
    return { after: state.revision, state, markEndOfState: allowWatchBookmarks };
  }
  if (revision > 0) {
    requireHistory(collection, revision);
    return { after: revision, markEndOfState: false };
  }
  const state = resourceVersion === '' ? await collection.mostRecent() : collection.latest();
  if (sendInitialEvents === false) return { after: state.revision, markEndOfState: false };
  return { after: state.revision, state, markEndOfState: false };
}

function requireHistory(collection: Collection, revision: number): void {
  try {
    collection.watch({ after: revision, matches: () => false, onEvent: () => {} })();
  } catch (error) {
    if (!isStorageError(error) || error.code !== 'compacted') throw error;
    throw resourceExpired(`too old resource version: ${revision} (${error.revision ?? 0})`);
  }
}
