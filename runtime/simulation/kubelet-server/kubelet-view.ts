import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';

/** A kubelet's knowledge of its node and pods. */
export interface KubeletView {
  readonly node: Node;
  /** The pods of the node. */
  readonly pods: readonly Pod[];
  readonly objects: ClusterObjects;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
