import type { TopologySpreadConstraint as Constraint, Node } from '../../../../generated/v1.35/core/v1/types.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import type { EventObjects } from '../framework/cluster-event.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type FilterPlugin, maxNodeScore, type Nodes, type PodFilter, type PodScorer, type ScorePlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { unresolvable, unschedulable } from '../framework/status.ts';
import type { DefaultSelector } from './default-selector.ts';
import { SpreadCounts } from './spread-counts.ts';
import { constraintsOf, countPods, hasAllTopologies, type TopologySpreadConstraint } from './topology-spread-constraint.ts';

const name = 'PodTopologySpread';
const notMatched = "node(s) didn't match pod topology spread constraints";
const skewed = unschedulable(name, notMatched);
const unlabelled = unresolvable(name, `${notMatched} (missing required label)`);
const hostname = 'kubernetes.io/hostname';

/** The constraints of pods without own ones. (systemDefaultConstraints) */
const systemDefaults = [
  { topologyKey: hostname, maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 },
];

const constraintsIn = ({ pod }: PodInfo): readonly Constraint[] => pod.spec?.topologySpreadConstraints ?? [];

/** Reports whether a node with all topologies came or changed. (isSchedulableAfterNodeChange) */
function topologyChanged(info: PodInfo, { before, after }: EventObjects): boolean {
  const keys = constraintsIn(info).map(({ topologyKey }) => topologyKey);
  const valuesOf = (node: Node | undefined): (string | undefined)[] => keys.map((key) => node?.metadata.labels?.[key]);
  const [old, now] = [valuesOf(before as Node | undefined), valuesOf(after as Node | undefined)];
  const hasAll = (values: (string | undefined)[]): boolean => !values.includes(undefined);
  return before && after ? (hasAll(old) || hasAll(now)) && old.join('\0') !== now.join('\0') : hasAll(before ? old : now);
}

/** Reports whether a pod that a constraint counts came, changed or went. (isSchedulableAfterPodChange) */
function countedPodChanged(info: PodInfo, { before, after }: EventObjects): boolean {
  const constraints = constraintsOf(info, constraintsIn(info), 'DoNotSchedule');
  return [before, after].some(
    (pod) => pod?.metadata.namespace === info.namespace && constraints.some(({ selector }) => selector.matches(pod.metadata.labels)),
  );
}

/** (plugins/podtopologyspread) */
export function podTopologySpread(defaultSelector: Pick<DefaultSelector, 'of'>): FilterPlugin & ScorePlugin {
  return {
    name,
    hints: {
      AssignedPodAdd: countedPodChanged,
      AssignedPodLabel: countedPodChanged,
      AssignedPodDelete: countedPodChanged,
      NodeAdd: topologyChanged,
      NodeLabel: topologyChanged,
      NodeTaint: topologyChanged,
    },
    weight: 2,
    preFilter(pod, nodes) {
      const constraints = constraintsOf(pod, constraintsIn(pod), 'DoNotSchedule');
      return constraints.length === 0 ? undefined : spreadFilter(pod, SpreadCounts.of(constraints, pod, nodes));
    },
    preScore(pod, feasible, nodes) {
      const own = constraintsIn(pod);
      const constraints = own.length > 0 ? constraintsOf(pod, own, 'ScheduleAnyway') : defaultConstraints(pod, defaultSelector);
      return constraints.length === 0 ? undefined : spreadScorer(pod, constraints, own.length > 0, { feasible, nodes });
    },
  };
}

function defaultConstraints(pod: PodInfo, defaultSelector: Pick<DefaultSelector, 'of'>): TopologySpreadConstraint[] {
  const selector = defaultSelector.of(pod);
  if (selector === undefined) return [];
  const action = 'ScheduleAnyway';
  const made = constraintsOf(
    pod,
    systemDefaults.map((one) => ({ ...one, whenUnsatisfiable: action })),
    action,
  );
  return made.map((constraint) => ({ ...constraint, selector }));
}

function spreadFilter(pod: PodInfo, counts: SpreadCounts): PodFilter {
  const selfMatches = counts.constraints.map(({ selector }) => (selector.matches(pod.group.labels) ? 1 : 0));
  return {
    filter({ labels }) {
      const { constraints } = counts;
      for (const [i, { topologyKey, maxSkew }] of constraints.entries()) {
        const domain = Object.hasOwn(labels, topologyKey) ? labels[topologyKey] : undefined;
        if (domain === undefined) return unlabelled;
        if (counts.of(i, domain) + (selfMatches[i] ?? 0) - counts.least(i) > maxSkew) return skewed;
      }
      return undefined;
    },
    addPod: (other, node) => counts.update(other, node, 1),
    removePod: (other, node) => counts.update(other, node, -1),
    clone: () => spreadFilter(pod, counts.clone()),
  };
}

/**
 * Prefers domains with fewer pods. Constraints with few domains, such as zones, weigh less than those with many, such
 * as nodes. (scoring.go)
 */
function spreadScorer(
  pod: PodInfo,
  constraints: readonly TopologySpreadConstraint[],
  requiresAll: boolean,
  { feasible, nodes }: { readonly feasible: readonly NodeInfo[]; readonly nodes: Nodes },
): PodScorer {
  const isIgnored = (node: NodeInfo): boolean => requiresAll && !hasAllTopologies(node, constraints);
  const scored = feasible.filter((node) => !isIgnored(node));
  const terms = constraints.flatMap(({ topologyKey, maxSkew, includes, ...constraint }) => {
    const pods = countPods(nodes, constraint, pod.namespace);
    if (topologyKey === hostname) {
      return [{ topologyKey, maxSkew, weight: weightOf(scored.length), countOf: (node: NodeInfo) => pods.get(node) ?? 0 }];
    }
    const domains = new Map<string | undefined, number>(scored.map(({ labels }) => [labels[topologyKey], 0]));
    const weight = weightOf(domains.size);
    // nodes without the label form a domain that is not scored
    domains.delete(undefined);
    if (domains.size === 0) return [];
    for (const [node, count] of pods) {
      const before = domains.get(node.labels[topologyKey]);
      if (before === undefined || isIgnored(node) || includes?.(node) === false) continue;
      domains.set(node.labels[topologyKey], before + count);
    }
    const countOf = ({ labels }: NodeInfo): number => domains.get(labels[topologyKey]) ?? 0;
    return [{ topologyKey, maxSkew, weight, countOf }];
  });
  return {
    score(node) {
      if (isIgnored(node)) return 0;
      let score = 0;
      for (const { topologyKey, maxSkew, weight, countOf } of terms) {
        if (Object.hasOwn(node.labels, topologyKey)) score += countOf(node) * weight + maxSkew - 1;
      }
      return Math.round(score);
    },
    normalize(scores, of) {
      let least = Number.POSITIVE_INFINITY;
      let most = 0;
      for (const [index, score] of scores.entries()) {
        if (isIgnored(elementAt(of, index))) continue;
        least = Math.min(least, score);
        most = Math.max(most, score);
      }
      for (const [index, score] of scores.entries()) {
        if (isIgnored(elementAt(of, index))) scores[index] = 0;
        else scores[index] = most === 0 ? maxNodeScore : Math.trunc((maxNodeScore * (most + least - score)) / most);
      }
    },
  };
}

/** (topologyNormalizingWeight) */
const weightOf = (domains: number): number => Math.log(domains + 2);
