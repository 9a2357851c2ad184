import type { Collection, StoredObject } from '../storage/object-store/contract.ts';

/**
 * An object as this server knows it or, if it knows none, as it is now: another server may just have created it. A promise only
 * if other servers write to the store. (as the live lookups of admission plugins after their listers)
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
