import type { KubeObject } from '../machinery/object.ts';
import type { ResourceHooks } from './hooks.ts';

/** The garbage collector's finalizers, which say what becomes of an object's dependents. */
export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

export interface PropagationRequest {
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
}

/**
 * Gives a deleted object the finalizer that its deletion asks for, and takes away the other.
 * (apiserver registry/generic/registry/store.go deletionFinalizersForGarbageCollection)
 */
export function setPropagation({ metadata }: KubeObject, request: PropagationRequest, hooks: ResourceHooks): void {
  const finalizers = metadata.finalizers ?? [];
  const wanted = wantedFinalizer(finalizers, request, hooks.propagation);
  const others = finalizers.filter((one) => one !== orphanFinalizer && one !== foregroundFinalizer);
  const next = wanted === undefined ? others : [...others, wanted];
  if (next.length === new Set(finalizers).size && next.every((one) => finalizers.includes(one))) return;
  if (next.length === 0) delete metadata.finalizers;
  else metadata.finalizers = next;
}

/** What the request says, else what the object has already, else what its kind does. */
function wantedFinalizer(
  finalizers: readonly string[],
  { propagationPolicy, orphanDependents }: PropagationRequest,
  byKind: ResourceHooks['propagation'],
): string | undefined {
  if (byKind === 'none') return undefined;
  if (orphanDependents !== undefined) return orphanDependents ? orphanFinalizer : undefined;
  if (propagationPolicy === 'Orphan') return orphanFinalizer;
  if (propagationPolicy === 'Foreground') return foregroundFinalizer;
  if (propagationPolicy === 'Background') return undefined;
  const present = finalizers.find((one) => one === orphanFinalizer || one === foregroundFinalizer);
  return present ?? (byKind === 'orphan' ? orphanFinalizer : undefined);
}
