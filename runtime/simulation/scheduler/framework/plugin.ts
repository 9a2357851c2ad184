import type { QueueingHints } from './cluster-event.ts';
import type { NodeInfo } from './node-info.ts';
import type { PluginName } from './plugin-names.ts';
import type { PodGroups } from './pod-groups.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/** The nodes that pods can be scheduled to. A cycle sees them as they are: nothing changes while it runs. (SharedLister) */
export interface Nodes {
  /** In the order in which they are looked at: one of each zone in turn. */
  list(): readonly NodeInfo[];
  get(name: string): NodeInfo | undefined;
  /** Where pods with the same labels are. */
  readonly podGroups: Pick<PodGroups, 'list' | 'count'>;
  /** Those that have pods with affinity to others. */
  withAffinity(): Iterable<NodeInfo>;
  /** Those that have pods with required anti-affinity. */
  withRequiredAntiAffinity(): Iterable<NodeInfo>;
  /** How many pods of the cluster use a claim. */
  podsUsingClaim(key: string): number;
}

/** What a plugin asks of nodes for one pod, with what it has computed before. (FilterPlugin and its PreFilterState) */
export interface PodFilter {
  /** No other node can pass. (PreFilterResult) */
  readonly nodeNames?: ReadonlySet<string> | undefined;
  /** Undefined if the pod fits. */
  filter?(node: NodeInfo): Status | undefined;
  /** What if the node had another pod? (PreFilterExtensions) */
  addPod?(other: PodInfo, node: NodeInfo): void;
  removePod?(other: PodInfo, node: NodeInfo): void;
  /** Needed of those that `addPod` changes. */
  clone?(): PodFilter;
  /** Keeps what the pod needs on the node; undefined if that is nothing. (Reserve) */
  reserve?(node: NodeInfo): Reservation | undefined;
}

/** What a pod needs besides room, as volumes. */
export interface Reservation {
  /** Resolves when the pod can be bound. @throws Error if it cannot (PreBind) */
  preBind(): Promise<void>;
  /** Gives back what was kept. (Unreserve) */
  release(): void;
}

export interface FilterPlugin {
  readonly name: PluginName;
  readonly hints: QueueingHints;
  /** Undefined if any node will do; a Status if none will. (PreFilter) */
  preFilter(pod: PodInfo, nodes: Nodes): PodFilter | Status | undefined;
}

/** What a plugin thinks of nodes for one pod. (ScorePlugin and its PreScoreState) */
export interface PodScorer {
  score(node: NodeInfo): number;
  /** Changes scores to those of 0 to 100, in place. Absent if they are that already. (NormalizeScore) */
  normalize?(scores: number[], nodes: readonly NodeInfo[]): void;
}

export interface ScorePlugin {
  readonly name: PluginName;
  readonly weight: number;
  /** Undefined if the plugin has no opinion. (PreScore) */
  preScore(pod: PodInfo, feasible: readonly NodeInfo[], nodes: Nodes): PodScorer | undefined;
}

export const maxNodeScore = 100;

/** Scales scores so that the highest becomes 100, or 0 in reverse. (helper.DefaultNormalizeScore) */
export function defaultNormalizeScore(scores: number[], isReverse: boolean): void {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  for (let i = 0; i < scores.length; i++) {
    const score = most === 0 ? 0 : Math.trunc((maxNodeScore * scores[i]) / most);
    scores[i] = isReverse ? maxNodeScore - score : score;
  }
}
