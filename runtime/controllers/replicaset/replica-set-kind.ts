import type { ReplicaSetCondition } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { LabelSelectorObject } from '../../machinery/selectors/label-selector.ts';
import type { ControllerName } from '../../reconcile/controller-selection.ts';

/** The fields that ReplicaSets and ReplicationControllers share. */
export interface ReplicaSetLike extends KubeObject {
  spec?: {
    replicas?: number;
    minReadySeconds?: number;
    template?: PodTemplateSpec;
  };
  status?: ReplicaSetLikeStatus;
}

export interface ReplicaSetLikeStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: ReplicaSetCondition[];
}

/**
 * The differences between kinds whose replicas one controller keeps. (NewBaseController,
 * pkg/controller/replication/conversion.go)
 */
export interface ReplicaSetKind {
  readonly resource: GroupVersionResource;
  readonly apiVersion: string;
  readonly kind: string;
  readonly controllerName: ControllerName;
  /** The name of the kind's service account, and of the component in events. */
  readonly component: string;
  /** Returns undefined if the object selects nothing. */
  selectorOf(object: ReplicaSetLike): LabelSelectorObject | undefined;
  /** Reports whether the status has terminatingReplicas. (EnableStatusTerminatingReplicas) */
  readonly countsTerminating: boolean;
}
