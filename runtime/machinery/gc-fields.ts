import { equalPruned } from './json/equality.ts';
import type { KubeObject } from './object.ts';

/**
 * Reports whether an update changes only fields that the garbage collector changes. (pkg/registry/rbac/helpers.go
 * IsOnlyMutatingGCFields)
 */
export function isOnlyMutatingGCFields(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences, finalizers, selfLink, managedFields } = old.metadata;
  const metadata = { ...object.metadata, ownerReferences, finalizers, selfLink, managedFields };
  return equalPruned({ ...object, metadata }, old);
}
