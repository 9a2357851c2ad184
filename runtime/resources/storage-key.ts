import type { ResourceFacts } from '../machinery/resource.ts';
import { keyPrefix } from '../storage/object-store/keys.ts';

/**
 * The key of an object in storage, which errors contain. (apiserver registry/generic/registry/store.go NamespaceKeyFunc)
 *
 * @param name of a corrupt object: whatever follows the prefix in its key
 */
export function storageKey(
  resource: Pick<ResourceFacts, 'resourcePrefix'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  return `${keyPrefix(resource)}${namespace === '' ? '' : `${namespace}/`}${name}`;
}
