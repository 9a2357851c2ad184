import type { QueueingHints } from './cluster-event.ts';
import type { NodeInfo } from './node-info.ts';
import type { PluginName } from './plugin-names.ts';
import type { PodGroups } from './pod-groups.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/** The nodes for pods. Nothing changes during a cycle. (SharedLister) */
export interface Nodes {
  /** Returns the nodes in search order: one of each zone in turn. */
  list(): readonly NodeInfo[];
  get(name: string): NodeInfo | undefined;
  /** The nodes of pods, by group of equal labels. */
  readonly podGroups: Pick<PodGroups, 'list' | 'count'>;
  /** Returns the nodes that have pods with affinity. */
  withAffinity(): Iterable<NodeInfo>;
  /** Returns the nodes that have pods with required anti-affinity. */
  withRequiredAntiAffinity(): Iterable<NodeInfo>;
  /** Returns the number of the cluster's pods that use a claim. */
  podsUsingClaim(key: string): number;
}

/** A plugin's filter of nodes for one pod, with precomputed state. (FilterPlugin and its PreFilterState) */
export interface PodFilter {
  /** The only nodes that can pass. Absent for all. (PreFilterResult) */
  readonly nodeNames?: ReadonlySet<string> | undefined;
  /** Returns undefined if the pod fits. */
  filter?(node: NodeInfo): Status | undefined;
  /** Updates the state as if the node had another pod. (PreFilterExtensions) */
  addPod?(other: PodInfo, node: NodeInfo): void;
  removePod?(other: PodInfo, node: NodeInfo): void;
  /** Copies the state. Required for filters with `addPod`. */
  clone?(): PodFilter;
  /** Reserves the pod's needs on the node; undefined if there are none. (Reserve) */
  reserve?(node: NodeInfo): Reservation | undefined;
}

/** A pod's needs besides room, such as volumes. */
export interface Reservation {
  /**
   * Resolves when the pod can be bound. (PreBind)
   *
   * @throws Error if it cannot be bound
   */
  preBind(): Promise<void>;
  /** Releases the reservation. (Unreserve) */
  release(): void;
}

export interface FilterPlugin {
  readonly name: PluginName;
  readonly hints: QueueingHints;
  /** Returns undefined if all nodes pass, or a Status if none does. (PreFilter) */
  preFilter(pod: PodInfo, nodes: Nodes): PodFilter | Status | undefined;
}

/** A plugin's scores of nodes for one pod. (ScorePlugin and its PreScoreState) */
export interface PodScorer {
  score(node: NodeInfo): number;
  /** Changes scores in place to the range 0 to 100. Absent if they are in that range. (NormalizeScore) */
  normalize?(scores: number[], nodes: readonly NodeInfo[]): void;
}

export interface ScorePlugin {
  readonly name: PluginName;
  readonly weight: number;
  /** Returns undefined if the plugin does not score the pod. (PreScore) */
  preScore(pod: PodInfo, feasible: readonly NodeInfo[], nodes: Nodes): PodScorer | undefined;
}

export const maxNodeScore = 100;

/** Scales scores so that the highest becomes 100, or 0 in reverse. (helper.DefaultNormalizeScore) */
export function defaultNormalizeScore(scores: number[], isReverse: boolean): void {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  for (const [i, given] of scores.entries()) {
    const score = most === 0 ? 0 : Math.trunc((maxNodeScore * given) / most);
    scores[i] = isReverse ? maxNodeScore - score : score;
  }
}
