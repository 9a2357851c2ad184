import { elementAt } from '../../machinery/collections/element-at.ts';
import { type Diagnosis, noStatus } from './framework/fit-error.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { Nodes } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { type PodFilters, type Profile, runFiltersWithNominatedPods } from './framework/profile.ts';
import { isStatus, type Status } from './framework/status.ts';
import type { Nominator } from './queue/nominator.ts';

/** The best node for a pod, or the reason why none fits. */
export type ScheduleResult = { readonly node: NodeInfo; readonly filters: PodFilters } | NoNode;

export interface NoNode {
  readonly diagnosis: Diagnosis;
  /** Undefined if the pod was rejected before any node was tried. */
  readonly filters: PodFilters | undefined;
}

export interface SchedulingAlgorithmOptions {
  readonly profile: Profile;
  readonly nodes: Nodes;
  readonly nominator: Pick<Nominator, 'podsOf'>;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

const minFeasibleNodesToFind = 100;
const minFeasibleNodesPercentageToFind = 5;

/** Returns the number of fitting nodes after which the search ends. (numFeasibleNodesToFind) */
export function numFeasibleNodesToFind(numAllNodes: number): number {
  if (numAllNodes < minFeasibleNodesToFind) return numAllNodes;
  const percentage = Math.max(minFeasibleNodesPercentageToFind, 50 - Math.trunc(numAllNodes / 125));
  return Math.max(minFeasibleNodesToFind, Math.trunc((numAllNodes * percentage) / 100));
}

/** Finds the node for a pod: filters nodes, then picks the best. (pkg/scheduler/schedule_one.go) */
export class SchedulingAlgorithm {
  readonly #options: SchedulingAlgorithmOptions;
  /** The start of the next search, so that all nodes get their turn. */
  #nextStartNodeIndex = 0;

  constructor(options: SchedulingAlgorithmOptions) {
    this.#options = options;
  }

  /** Schedules a pod. The cluster must have nodes. (schedulePod) */
  schedule(pod: PodInfo): ScheduleResult {
    const { profile, nodes, random } = this.#options;
    const filters = profile.preFilter(pod, nodes);
    if (isStatus(filters)) return { diagnosis: rejectedBefore(filters), filters: undefined };
    const found = this.#findNodesThatFit(pod, filters);
    const { feasible } = found;
    const [first, second] = feasible;
    if (first === undefined) return { diagnosis: diagnosisOf(found.statuses, filters), filters };
    if (second === undefined) return { node: first, filters };
    return { node: selectHost(feasible, profile.score(pod, feasible, nodes), random), filters };
  }

  /** Tries the nominated node of the pod first, then all nodes. (findNodesThatFitPod) */
  #findNodesThatFit(pod: PodInfo, filters: PodFilters): FoundNodes {
    const { nodes } = this.#options;
    const nominated = nodes.get(pod.pod.status?.nominatedNodeName ?? '');
    if (nominated !== undefined) {
      const found = this.#findIn([nominated], pod, filters);
      if (found.feasible.length > 0) return found;
    }
    const all = nodes.list();
    if (filters.nodeNames === undefined) return this.#findIn(all, pod, filters);
    const named = [...filters.nodeNames].map((name) => nodes.get(name)).filter((node) => node !== undefined);
    return this.#findIn(named, pod, filters);
  }

  /** (findNodesThatPassFilters) */
  #findIn(candidates: readonly NodeInfo[], pod: PodInfo, { filters }: PodFilters): FoundNodes {
    const { nominator, nodes } = this.#options;
    const wanted = numFeasibleNodesToFind(candidates.length);
    const feasible: NodeInfo[] = [];
    const statuses = new Map<string, Status>();
    const start = this.#nextStartNodeIndex;
    for (let i = 0; i < candidates.length && feasible.length < wanted; i++) {
      const node = elementAt(candidates, (start + i) % candidates.length);
      const status = runFiltersWithNominatedPods(filters, node, pod, nominator.podsOf(node.name));
      if (status === undefined) feasible.push(node);
      else statuses.set(node.name, status);
    }
    this.#nextStartNodeIndex = (start + feasible.length + statuses.size) % nodes.list().length;
    return { feasible, statuses };
  }
}

interface FoundNodes {
  readonly feasible: readonly NodeInfo[];
  readonly statuses: ReadonlyMap<string, Status>;
}

function rejectedBefore(status: Status): Diagnosis {
  return {
    nodeToStatus: new Map(),
    absentNodesStatus: status,
    unschedulablePlugins: new Set(status.plugin ? [status.plugin] : []),
    preFilterMsg: status.reasons.join(', '),
  };
}

function diagnosisOf(nodeToStatus: ReadonlyMap<string, Status>, { nodeNames, pluginsWithNodes }: PodFilters): Diagnosis {
  const plugins = new Set(pluginsWithNodes);
  for (const { plugin } of nodeToStatus.values()) if (plugin) plugins.add(plugin);
  const reason = `node(s) didn't satisfy plugin(s) [${[...pluginsWithNodes].sort().join(' ')}]`;
  return {
    nodeToStatus,
    absentNodesStatus: nodeNames ? { code: 'UnschedulableAndUnresolvable', reasons: [reason] } : noStatus,
    unschedulablePlugins: plugins,
    preFilterMsg: '',
  };
}

/** Picks one of the nodes with the highest score. */
function selectHost(feasible: readonly NodeInfo[], scores: readonly number[], random: () => number): NodeInfo {
  let selected = elementAt(feasible, 0);
  let best = Number.NEGATIVE_INFINITY;
  let equals = 0;
  for (const [index, score] of scores.entries()) {
    if (score < best) continue;
    equals = score > best ? 1 : equals + 1;
    best = score;
    if (equals === 1 || random() * equals < 1) selected = elementAt(feasible, index);
  }
  return selected;
}
