import type { ObjectKey } from '../../machinery/object-key.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';

/** Where the first try reads: what this server knows, or the newest state, as for a dry run, which no conflict can correct. */
export type FirstRead = 'known' | 'newest';

/**
 * Tries a write with an object as it is known, until there is no conflict. A try with a state that turns out to be old is
 * repeated with the newest one, whatever it threw. (apiserver storage/etcd3/store.go GuaranteedUpdate)
 *
 * @param attempt gets undefined if there is no object, and resolves with undefined if the object has changed meanwhile
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
      // a write whose outcome is unknown may have been what changed the object
      if (isNewest || isStorageError(error)) throw error;
      snapshot = await collection.mostRecent();
      if (snapshot.get(namespace, name)?.revision === stored?.revision) throw error;
    }
    isNewest = true;
  }
}

/** Whether no server has changed the object since it was read. */
export async function isUnchanged(collection: Collection, { namespace, name, revision }: StoredObject): Promise<boolean> {
  const newest = await collection.mostRecent();
  return newest.get(namespace, name)?.revision === revision;
}
