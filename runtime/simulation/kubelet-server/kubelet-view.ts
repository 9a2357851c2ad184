import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';

/** What a kubelet knows. */
export interface KubeletView {
  readonly node: Node;
  /** Those of its node. */
  readonly pods: readonly Pod[];
  readonly objects: ClusterObjects;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
