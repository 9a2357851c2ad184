import type { KubeObject } from '../../../machinery/object.ts';
import type { PodInfo } from './pod-info.ts';

/** A change in the cluster after which a rejected pod may fit. (kube-scheduler/framework ClusterEvent) */
export type ClusterEvent =
  | 'AssignedPodAdd'
  | 'AssignedPodLabel'
  | 'AssignedPodScaleDown'
  | 'AssignedPodDelete'
  | 'NodeAdd'
  | 'NodeAllocatable'
  | 'NodeLabel'
  | 'NodeTaint'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode';

/** The object of an event before and after it; undefined before its creation and after its deletion. */
export interface EventObjects {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** Reports whether a pod that the plugin rejected may fit after the event. `true` means always. (QueueingHintFn) */
export type QueueingHint = true | ((pod: PodInfo, objects: EventObjects) => boolean);

export type QueueingHints = Readonly<Partial<Record<ClusterEvent, QueueingHint>>>;
