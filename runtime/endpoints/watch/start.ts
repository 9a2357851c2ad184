import type { ListOptions } from '../../http/options/read-options.ts';
import type { RequestState } from '../../http/request-state.ts';
import { resourceExpired } from '../../machinery/errors/status.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, CollectionSnapshot } from '../../storage/object-store/contract.ts';
import { anySnapshot, parseResourceVersion, snapshotNotOlderThan } from '../list/snapshots.ts';

/** Where a watch starts. */
export interface WatchStart {
  /** The watch sends changes after this revision. */
  readonly after: number;
  /** The objects of this snapshot are sent first, as ADDED events. Default: no initial events. */
  readonly initialEvents?: CollectionSnapshot;
  /** A bookmark marks the end of the initial events. (KEP-3157) */
  readonly bookmarkInitialEvents: boolean;
}

/**
 * Implements "Semantics for watch" of the API concepts. Upstream sends initial events only if `sendInitialEvents` is true;
 * here, a watch of an old path, which does not set it, gets them if its resourceVersion is unset or "0".
 *
 * @throws StatusError 410, 504
 */
export async function watchStart(
  collection: Collection,
  { resourceVersion, sendInitialEvents, allowWatchBookmarks }: ListOptions,
  { signal, readsAt }: Pick<RequestState, 'signal' | 'readsAt'>,
): Promise<WatchStart> {
  const revision = resourceVersion === '' ? 0 : parseResourceVersion(resourceVersion);
  if (revision > 0 && !sendInitialEvents) {
    requireHistory(collection, revision);
    return { after: revision, bookmarkInitialEvents: false };
  }
  const snapshot =
    resourceVersion === ''
      ? await collection.mostRecent()
      : revision === 0
        ? anySnapshot(collection, readsAt)
        : await snapshotNotOlderThan(collection, resourceVersion, signal, true);
  if (sendInitialEvents === false) return { after: snapshot.revision, bookmarkInitialEvents: false };
  return {
    after: snapshot.revision,
    initialEvents: snapshot,
    bookmarkInitialEvents: sendInitialEvents === true && allowWatchBookmarks,
  };
}

function requireHistory(collection: Collection, revision: number): void {
  try {
    collection.requireHistory(revision);
  } catch (error) {
    throw compactedToExpired(error, revision);
  }
}

/** Returns a StatusError 410 if the error says that the revision is compacted, and the error itself otherwise. */
export function compactedToExpired(error: unknown, revision: number): unknown {
  if (!isStorageError(error) || error.code !== 'compacted') return error;
  return resourceExpired(`too old resource version: ${revision} (${(error.revision ?? 0) + 1})`);
}
