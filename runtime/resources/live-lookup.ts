import type { Collection, StoredObject } from '../storage/object-store/contract.ts';

/**
 * Returns the known object or, if this server knows none, reads the current one: another server may have just created
 * it. Returns a promise only if other servers write to the store. (as the live lookups of admission plugins after their
 * listers)
 */
export function liveLookup(
  collection: Collection,
  namespace: string,
  name: string,
): StoredObject | undefined | Promise<StoredObject | undefined> {
  const known = collection.latest().get(namespace, name);
  if (known !== undefined) return known;
  const newest = collection.mostRecent();
  return newest instanceof Promise ? newest.then((snapshot) => snapshot.get(namespace, name)) : undefined;
}
