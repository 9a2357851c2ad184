import type { StatefulSet, StatefulSetStatus } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { setOrDelete } from '../../machinery/json/defined.ts';
import { omitZeros } from '../../machinery/json/omit-zeros.ts';
import { isPodAvailable } from '../pod-control/pod-states.ts';
import { podRevision } from './stateful-set-utils.ts';

/** The counts of a status, all of them present. */
export type ReplicaStatus = Required<
  Pick<StatefulSetStatus, 'replicas' | 'readyReplicas' | 'availableReplicas' | 'currentReplicas' | 'updatedReplicas'>
>;

export interface RevisionNames {
  readonly currentRevision: string;
  readonly updateRevision: string;
}

/** (computeReplicaStatus) `now` is in milliseconds. */
export function replicaStatus(
  { spec }: StatefulSet,
  pods: Iterable<Pod>,
  { currentRevision, updateRevision }: RevisionNames,
  now: number,
): ReplicaStatus {
  const counts = { replicas: 0, readyReplicas: 0, availableReplicas: 0, currentReplicas: 0, updatedReplicas: 0 };
  for (const pod of pods) {
    counts.replicas++;
    if (isRunningAndReady(pod)) {
      counts.readyReplicas++;
      if (isPodAvailable(pod, spec?.minReadySeconds ?? 0, now)) counts.availableReplicas++;
    }
    if (pod.metadata.deletionTimestamp) continue;
    const revision = podRevision(pod);
    if (revision === currentRevision) counts.currentReplicas++;
    if (revision === updateRevision) counts.updatedReplicas++;
  }
  return counts;
}

export const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === 'Running' && isPodReady(pod);

/** Makes the update revision current, in place, once all pods have it and are ready. */
export function completeRollingUpdate({ spec }: StatefulSet, status: StatefulSetStatus): void {
  const { replicas: wanted = 1, updateStrategy } = spec ?? {};
  const { replicas, readyReplicas, updatedReplicas } = status;
  if (updateStrategy?.type !== 'RollingUpdate') return;
  if (updatedReplicas !== wanted || readyReplicas !== wanted || replicas !== wanted) return;
  status.currentReplicas = updatedReplicas;
  setOrDelete(status, 'currentRevision', status.updateRevision);
}

const compared = [
  'replicas',
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'availableReplicas',
  'currentRevision',
  'updateRevision',
] as const;

/** Reports whether the status differs from the set's stored status. */
export function isInconsistentStatus({ status: stored }: StatefulSet, status: StatefulSetStatus): boolean {
  if ((status.observedGeneration ?? 0) > (stored?.observedGeneration ?? 0)) return true;
  return compared.some((field) => (status[field] || undefined) !== (stored?.[field] || undefined));
}

/** Returns the status to write: some counts are absent if they are 0. */
export function withoutZeros(status: StatefulSetStatus): StatefulSetStatus {
  const { readyReplicas, currentReplicas, updatedReplicas, ...others } = status;
  return { ...others, ...omitZeros({ readyReplicas, currentReplicas, updatedReplicas }) };
}
