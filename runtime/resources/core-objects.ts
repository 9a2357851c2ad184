import type { StoredObject } from '../storage/object-store/contract.ts';
import { liveLookup } from './live-lookup.ts';
import type { ResourceStores } from './stores.ts';

/**
 * Returns an object of the core group as this server knows it, or as it is now; a promise only until the resource has been
 * loaded, or if another server may just have created the object.
 */
export type CoreObjectGetter = (
  resource: string,
  namespace: string,
  name: string,
) => StoredObject | undefined | Promise<StoredObject | undefined>;

/** Finds objects for authenticators. Those of resources that are not served do not exist. */
export function coreObjects(stores: () => ResourceStores): CoreObjectGetter {
  return (resource, namespace, name) => {
    const current = stores();
    const entry = current.registry.lookup('', 'v1', resource);
    if (entry === undefined) return undefined;
    const opened = entry.definition && current.opened(entry.definition);
    if (opened !== undefined) return liveLookup(opened.collection, namespace, name);
    return current.named('', 'v1', resource).then(({ collection }) => liveLookup(collection, namespace, name));
  };
}
