import type { KubeObject } from '../../../machinery/object.ts';
import type { PodInfo } from './pod-info.ts';

/** What happens in a cluster that may let a pod fit which did not. (kube-scheduler/framework ClusterEvent) */
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

/** The object that an event is about; undefined before it was there, and after it has gone. */
export interface EventObjects {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** Whether a pod that the plugin rejected may fit after the event; `true`: always. (QueueingHintFn) */
export type QueueingHint = true | ((pod: PodInfo, objects: EventObjects) => boolean);

export type QueueingHints = Readonly<Partial<Record<ClusterEvent, QueueingHint>>>;
