import type { ObjectKey } from '../../machinery/object-key.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';

/**
 * The state that the first try reads: `known` to this server, or the `newest`. A dry run needs the newest, because no
 * conflict can correct it.
 */
export type FirstRead = 'known' | 'newest';

/**
 * Tries a write with the known object, until there is no conflict. A try with an outdated state is repeated with the
 * newest state, whatever it threw. (apiserver storage/etcd3/store.go GuaranteedUpdate)
 *
 * @param attempt gets undefined if the object is absent; resolves with undefined if the object has changed meanwhile
 */
export async function guaranteedUpdate<T>(
  collection: Collection,
  { namespace, name }: ObjectKey,
  attempt: (stored: StoredObject | undefined) => Promise<T | undefined>,
  firstRead: FirstRead = 'known',
): Promise<T> {
  let isNewest = firstRead === 'newest';
  let snapshot = isNewest ? await collection.mostRecent() : collection.latest();
  for (;;) {
    const stored = snapshot.get(namespace, name);
    try {
      const done = await attempt(stored);
      if (done !== undefined) return done;
      snapshot = await collection.mostRecent();
    } catch (error) {
      // a write of unknown outcome may have changed the object itself
      if (isNewest || isStorageError(error)) throw error;
      snapshot = await collection.mostRecent();
      if (snapshot.get(namespace, name)?.revision === stored?.revision) throw error;
    }
    isNewest = true;
  }
}

/** Reports whether the object is unchanged on all servers since it was read. */
export async function isUnchanged(collection: Collection, { namespace, name, revision }: StoredObject): Promise<boolean> {
  const newest = await collection.mostRecent();
  return newest.get(namespace, name)?.revision === revision;
}
