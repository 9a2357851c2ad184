import type { ReplicaSetCondition } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { LabelSelectorObject } from '../../machinery/selectors/label-selector.ts';
import type { ControllerName } from '../../reconcile/controller-selection.ts';

/** What a ReplicaSet and a ReplicationController have in common. */
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

/** What differs between the kinds whose replicas one controller keeps. (NewBaseController, pkg/controller/replication/conversion.go) */
export interface ReplicaSetKind {
  readonly resource: GroupVersionResource;
  readonly apiVersion: string;
  readonly kind: string;
  readonly controllerName: ControllerName;
  /** The name of its service account, and of the component in events. */
  readonly component: string;
  /** Undefined: it selects nothing. */
  selectorOf(object: ReplicaSetLike): LabelSelectorObject | undefined;
  /** Whether the status has terminatingReplicas. (EnableStatusTerminatingReplicas) */
  readonly countsTerminating: boolean;
}
