import type { KubeObject } from '../machinery/object.ts';
import type { RESTStrategy } from './rest.ts';

/** Finalizers of the garbage collector. They decide what happens to the object's dependents. */
export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

export interface PropagationRequest {
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
}

/**
 * Gives a deleted object the finalizer for the requested propagation, and removes the other one. (apiserver
 * registry/generic/registry/store.go deletionFinalizersForGarbageCollection)
 */
export function setDeletionFinalizers({ metadata }: KubeObject, request: PropagationRequest, strategy: RESTStrategy): void {
  const finalizers = metadata.finalizers ?? [];
  const wanted = deletionFinalizer(finalizers, request, strategy);
  const others = finalizers.filter((one) => one !== orphanFinalizer && one !== foregroundFinalizer);
  const next = wanted === undefined ? others : [...others, wanted];
  if (next.length === new Set(finalizers).size && next.every((one) => finalizers.includes(one))) return;
  if (next.length === 0) delete metadata.finalizers;
  else metadata.finalizers = next;
}

/** Returns the finalizer by the request, else by the object's finalizers, else by the default of the kind. */
function deletionFinalizer(
  finalizers: readonly string[],
  { propagationPolicy, orphanDependents }: PropagationRequest,
  { defaultGarbageCollectionPolicy: defaultPolicy, deletesDependentsInForeground }: RESTStrategy,
): string | undefined {
  if (defaultPolicy === 'Unsupported') return undefined;
  if (orphanDependents === true) return orphanFinalizer;
  if (orphanDependents === false) return deletesDependentsInForeground ? foregroundFinalizer : undefined;
  if (propagationPolicy === 'Orphan') return orphanFinalizer;
  if (propagationPolicy === 'Foreground') return foregroundFinalizer;
  if (propagationPolicy === 'Background') return undefined;
  const present = finalizers.find((one) => one === orphanFinalizer || one === foregroundFinalizer);
  return present ?? (defaultPolicy === 'OrphanDependents' ? orphanFinalizer : undefined);
}
