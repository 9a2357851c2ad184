import type { QueueingHints } from './cluster-event.ts';
import type { NodeInfo } from './node-info.ts';
import type { FilterPlugin, Nodes, PodFilter, ScorePlugin } from './plugin.ts';
import type { PluginName } from './plugin-names.ts';
import type { PodInfo } from './pod-info.ts';
import { isStatus, type Status } from './status.ts';

/** The precomputed filters of a profile for one pod. (CycleState) */
export interface PodFilters {
  readonly filters: readonly PodFilter[];
  /** The only nodes that can pass; undefined for all. */
  readonly nodeNames: ReadonlySet<string> | undefined;
  /** The plugins that limited the nodes. */
  readonly pluginsWithNodes: ReadonlySet<PluginName>;
}

/** The scheduling plugins in order. (scheduler/framework/runtime) */
export class Profile {
  readonly hints: ReadonlyMap<PluginName, QueueingHints>;
  readonly #filters: readonly FilterPlugin[];
  readonly #scores: readonly ScorePlugin[];

  constructor(filters: readonly FilterPlugin[], scores: readonly ScorePlugin[]) {
    this.#filters = filters;
    this.#scores = scores;
    this.hints = new Map(filters.map(({ name, hints }) => [name, hints]));
  }

  /** (RunPreFilterPlugins) */
  preFilter(pod: PodInfo, nodes: Nodes): PodFilters | Status {
    const filters: PodFilter[] = [];
    const pluginsWithNodes = new Set<PluginName>();
    let nodeNames: ReadonlySet<string> | undefined;
    for (const plugin of this.#filters) {
      const result = plugin.preFilter(pod, nodes);
      if (result === undefined) continue;
      if (isStatus(result)) return result;
      if (result.filter !== undefined) filters.push(result);
      if (result.nodeNames === undefined) continue;
      pluginsWithNodes.add(plugin.name);
      const others = nodeNames;
      nodeNames = others ? new Set([...result.nodeNames].filter((name) => others.has(name))) : result.nodeNames;
      if (nodeNames.size === 0) return noNodeLeft(pluginsWithNodes);
    }
    return { filters, nodeNames, pluginsWithNodes };
  }

  /** Returns the sum of weighted scores for each node. (RunPreScorePlugins, RunScorePlugins) */
  score(pod: PodInfo, feasible: readonly NodeInfo[], nodes: Nodes): number[] {
    const total = feasible.map(() => 0);
    for (const plugin of this.#scores) {
      const scorer = plugin.preScore(pod, feasible, nodes);
      if (scorer === undefined) continue;
      const scores = feasible.map((node) => scorer.score(node));
      scorer.normalize?.(scores, feasible);
      for (const [i, score] of scores.entries()) total[i] = (total[i] ?? 0) + plugin.weight * score;
    }
    return total;
  }
}

function noNodeLeft(plugins: ReadonlySet<PluginName>): Status {
  const names = [...plugins].sort().join(' ');
  const reason =
    plugins.size === 1 ? `node(s) didn't satisfy plugin ${names}` : `node(s) didn't satisfy plugin(s) [${names}] simultaneously`;
  return { code: 'UnschedulableAndUnresolvable', reasons: [reason] };
}

/** Returns the first reason why a pod does not fit; undefined if it fits. (RunFilterPlugins) */
export function runFilters(filters: readonly PodFilter[], node: NodeInfo): Status | undefined {
  for (const filter of filters) {
    const status = filter.filter?.(node);
    if (status !== undefined) return status;
  }
  return undefined;
}

/**
 * Runs filters as if the nominated pods of equal or higher priority were on the node. If there are any, the pod must
 * also fit without them, because it may depend on pods that are there. (RunFilterPluginsWithNominatedPods)
 */
export function runFiltersWithNominatedPods(
  filters: readonly PodFilter[],
  node: NodeInfo,
  pod: PodInfo,
  nominated: ReadonlyMap<string, PodInfo>,
): Status | undefined {
  if (nominated.size === 0) return runFilters(filters, node);
  const others = [...nominated.values()].filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority);
  if (others.length > 0) {
    const full = node.clone();
    const copies = cloneFilters(filters);
    for (const other of others) addPodTo(full, other, copies);
    const status = runFilters(copies, full);
    if (status !== undefined) return status;
  }
  return runFilters(filters, node);
}

export const cloneFilters = (filters: readonly PodFilter[]): PodFilter[] => filters.map((filter) => filter.clone?.() ?? filter);

/** (RunPreFilterExtensionAddPod) */
export function addPodTo(node: NodeInfo, pod: PodInfo, filters: readonly PodFilter[]): void {
  node.addPod(pod);
  for (const filter of filters) filter.addPod?.(pod, node);
}

export function removePodFrom(node: NodeInfo, pod: PodInfo, filters: readonly PodFilter[]): void {
  node.removePod(pod.uid);
  for (const filter of filters) filter.removePod?.(pod, node);
}
