import type { StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import { podFromTemplate } from '../pod-control/pod-control.ts';
import { podName, revisionLabel, setReference, startOrdinal, updateIdentity, updateStorage } from './stateful-set-utils.ts';

/** The set at its current and its update revision, with the names of both. */
export interface VersionedSets {
  readonly current: StatefulSet;
  readonly update: StatefulSet;
  readonly currentRevision: string;
  readonly updateRevision: string;
}

/** Returns the pod of an ordinal at the revision that it must have now. (newVersionedStatefulSetPod) */
export function newVersionedStatefulSetPod(sets: VersionedSets, ordinal: number): Pod {
  return isAtCurrentRevision(sets.current, ordinal)
    ? newStatefulSetPod(sets.current, ordinal, sets.currentRevision)
    : newStatefulSetPod(sets.update, ordinal, sets.updateRevision);
}

/** Reports whether a rolling update has not reached the ordinal, or never will. */
function isAtCurrentRevision(set: StatefulSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (rollingUpdate !== undefined) return ordinal < startOrdinal(set) + (rollingUpdate.partition ?? 0);
  return type === 'RollingUpdate' && ordinal < startOrdinal(set) + (set.status?.currentReplicas ?? 0);
}

function newStatefulSetPod(set: StatefulSet, ordinal: number, revision: string): Pod {
  const { template, serviceName } = set.spec ?? {};
  const { metadata, spec } = podFromTemplate(template ?? {}, set.metadata.name ?? '', newControllerRef(set, setReference));
  const name = podName(set, ordinal);
  const pod: Pod = {
    metadata: { ...metadata, name },
    spec: { ...spec, hostname: name, ...(serviceName && { subdomain: serviceName }) },
  };
  updateIdentity(set, pod);
  updateStorage(set, pod);
  pod.metadata.labels = { ...pod.metadata.labels, [revisionLabel]: revision };
  return pod;
}
