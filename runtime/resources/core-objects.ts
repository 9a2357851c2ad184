import type { StoredObject } from '../storage/object-store/contract.ts';
import { liveLookup } from './live-lookup.ts';
import type { ResourceStores } from './stores.ts';

/**
 * Returns an object of the core group from this server, or else the current one from the store. Returns a promise only
 * until the resource has loaded, or if another server may have just created the object.
 */
export type CoreObjectGetter = (
  resource: string,
  namespace: string,
  name: string,
) => StoredObject | undefined | Promise<StoredObject | undefined>;

/** Returns a getter for authenticators. It finds no objects of resources that are not served. */
export function coreObjects(stores: () => ResourceStores): CoreObjectGetter {
  return (resource, namespace, name) => {
    const current = stores();
    const entry = current.registry.lookup('', 'v1', resource);
    if (entry === undefined) return undefined;
    const opened = entry.definition && current.ifOpen(entry.definition);
    if (opened !== undefined) return liveLookup(opened.collection, namespace, name);
    return current.byResource('', 'v1', resource).then(({ collection }) => liveLookup(collection, namespace, name));
  };
}
