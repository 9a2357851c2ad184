import type { ContainerStatus, Pod, PodStatus } from '../../../../generated/v1.35/core/v1/types.ts';

/** Fields that a write of a pod's status keeps or drops. (pkg/registry/core/pod/strategy.go) */

export function prepareStatus(pod: Pod, old: Pod): void {
  const { ownerReferences } = old.metadata;
  if (ownerReferences === undefined) delete pod.metadata.ownerReferences;
  else pod.metadata.ownerReferences = ownerReferences;
  pod.status ??= {};
  if (!pod.status.qosClass && old.status?.qosClass) pod.status.qosClass = old.status.qosClass;
  preserveOldObservedGeneration(pod.status, old.status ?? {});
  dropDisabledPodStatusFields(pod.status, old.status ?? {});
}

/** Keeps observedGeneration for clients that do not know it. A type may have several conditions. */
function preserveOldObservedGeneration(status: PodStatus, old: PodStatus): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration;
  const generations = new Map<string, (number | undefined)[]>();
  for (const { type, observedGeneration } of [...(old.conditions ?? [])].reverse()) {
    const ofType = generations.get(type);
    if (ofType === undefined) generations.set(type, [observedGeneration]);
    else ofType.push(observedGeneration);
  }
  for (const condition of status.conditions ?? []) {
    const generation = generations.get(condition.type)?.pop();
    if (!condition.observedGeneration && generation) condition.observedGeneration = generation;
  }
}

const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/**
 * The gates InPlacePodLevelResourcesVerticalScaling, DRAExtendedResource and ResourceHealthStatus are off.
 * (pkg/api/pod/util.go, dropDisabledPodStatusFields)
 */
function dropDisabledPodStatusFields(status: PodStatus, old: PodStatus): void {
  if (old.resources === undefined && old.allocatedResources === undefined) {
    delete status.resources;
    delete status.allocatedResources;
  }
  if (old.extendedResourceClaimStatus === undefined) delete status.extendedResourceClaimStatus;
  for (const list of lists) for (const one of status[list] ?? []) dropAllocatedResourcesStatus(one);
}

function dropAllocatedResourcesStatus(status: ContainerStatus): void {
  if (status.allocatedResourcesStatus !== undefined) delete status.allocatedResourcesStatus;
}
