import type { ResourceDefinition } from '../machinery/resource.ts';

/**
 * The key of an object in upstream's etcd, which errors contain. (apiserver registry/generic/registry/store.go
 * NamespaceKeyFunc)
 *
 * @param name of a corrupt object: whatever follows the prefix in its key
 */
export function storageKey(
  { resource, resourcePrefix = resource }: ResourceDefinition,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  return ['/registry', resourcePrefix, ...(namespace === '' ? [] : [namespace]), name].join('/');
}
