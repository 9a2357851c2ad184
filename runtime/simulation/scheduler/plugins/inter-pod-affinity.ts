import type { Namespace, Node } from '../../../../generated/v1.35/core/v1/types.ts';
import { labelSelectorFromObject } from '../../../machinery/selectors/label-selector.ts';
import type { SharedInformer } from '../../../reconcile/informers/shared-informer.ts';
import { type AffinityTerm, allTermsMatch, noAffinity, type PodAffinityTerms, termMatches } from '../framework/affinity-term.ts';
import type { EventObjects } from '../framework/cluster-event.ts';
import { groupIn, type LabelGroup } from '../framework/label-group.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type FilterPlugin, maxNodeScore, type Nodes, type PodFilter, type ScorePlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { unresolvable, unschedulable } from '../framework/status.ts';
import { AffinityCounts } from './affinity-counts.ts';

const name = 'InterPodAffinity';
const existingAntiAffinity = unschedulable(name, "node(s) didn't satisfy existing pods anti-affinity rules");
const noAffinityMatch = unresolvable(name, "node(s) didn't match pod affinity rules");
const antiAffinityMatch = unschedulable(name, "node(s) didn't match pod anti-affinity rules");

/** The score weight of other pods' required affinity to this pod. (DefaultHardPodAffinityWeight) */
const hardPodAffinityWeight = 1;

type Namespaces = Pick<SharedInformer<Namespace>, 'get' | 'list'>;
type Labels = Readonly<Record<string, string>>;

/** Affinity and anti-affinity between pods, in both directions. (plugins/interpodaffinity) */
export function interPodAffinity(namespaces: Namespaces): FilterPlugin & ScorePlugin {
  const labelsOf = (namespace: string): Labels | undefined => namespaces.get('', namespace)?.metadata.labels;
  return {
    name,
    hints: {
      AssignedPodAdd: (info, objects) => podChanged(info, objects, namespaces),
      AssignedPodLabel: (info, objects) => podChanged(info, objects, namespaces),
      AssignedPodDelete: true,
      NodeAdd: domainChanged,
      NodeLabel: domainChanged,
    },
    weight: 2,
    preFilter(pod, nodes) {
      const state = newFilterState(pod, labelsOf(pod.namespace), namespaces);
      countExisting(state, nodes);
      const { requiredAffinity, requiredAntiAffinity } = state.terms;
      const isIdle = state.existing.isEmpty && requiredAffinity.length + requiredAntiAffinity.length === 0;
      return isIdle ? undefined : affinityFilter(state);
    },
    preScore(pod, _, nodes) {
      const scores = scoresOf(pod, nodes, { namespaces, labels: labelsOf(pod.namespace) });
      if (scores.isEmpty) return undefined;
      return { score: (node) => scores.sumOf(node), normalize: normalizeByRange };
    },
  };
}

interface FilterState {
  readonly pod: PodInfo;
  /** The labels of the pod's namespace. */
  readonly labels: Labels | undefined;
  readonly terms: PodAffinityTerms;
  /** Counts of pods with anti-affinity to this pod. */
  readonly existing: AffinityCounts;
  /** Counts of pods that this pod's affinity and anti-affinity select. */
  readonly affinity: AffinityCounts;
  readonly antiAffinity: AffinityCounts;
}

function newFilterState(pod: PodInfo, labels: Labels | undefined, namespaces: Namespaces): FilterState {
  return {
    pod,
    labels,
    terms: unrolled(pod.affinity, namespaces),
    existing: new AffinityCounts(),
    affinity: new AffinityCounts(),
    antiAffinity: new AffinityCounts(),
  };
}

function countExisting({ pod, labels, terms, ...counts }: FilterState, nodes: Nodes): void {
  for (const node of nodes.withRequiredAntiAffinity()) {
    for (const [{ requiredAntiAffinity }, pods] of node.affinities) {
      for (const term of requiredAntiAffinity) {
        if (termMatches(term, pod.group, labels)) counts.existing.add(node, term.topologyKey, pods);
      }
    }
  }
  const { requiredAffinity, requiredAntiAffinity } = terms;
  if (requiredAffinity.length + requiredAntiAffinity.length === 0) return;
  for (const [group, pods] of nodes.podGroups.list()) {
    if (allTermsMatch(requiredAffinity, group)) count(pods, counts.affinity, requiredAffinity);
    count(pods, counts.antiAffinity, termsAbout(group, requiredAntiAffinity));
  }
}

const termsAbout = <T extends AffinityTerm>(group: LabelGroup, terms: readonly T[]): T[] =>
  terms.filter((term) => termMatches(term, group, undefined));

/** Adds the pods to each term's domain of their nodes. */
function count<T extends AffinityTerm>(
  pods: ReadonlyMap<NodeInfo, number>,
  counts: AffinityCounts,
  terms: readonly T[],
  weightOf: (term: T) => number = () => 1,
): void {
  for (const term of terms) {
    const weight = weightOf(term);
    for (const [node, number] of pods) counts.add(node, term.topologyKey, weight * number);
  }
}

function affinityFilter(state: FilterState): PodFilter {
  const { pod, labels, terms, existing, affinity, antiAffinity } = state;
  const { requiredAffinity, requiredAntiAffinity } = terms;
  const update = (other: PodInfo, node: Parameters<AffinityCounts['add']>[0], by: 1 | -1): void => {
    for (const term of other.affinity.requiredAntiAffinity) {
      if (termMatches(term, pod.group, labels)) existing.add(node, term.topologyKey, by);
    }
    if (allTermsMatch(requiredAffinity, other.group)) {
      for (const { topologyKey } of requiredAffinity) affinity.add(node, topologyKey, by);
    }
    for (const term of requiredAntiAffinity) {
      if (termMatches(term, other.group, undefined)) antiAffinity.add(node, term.topologyKey, by);
    }
  };
  return {
    filter(node) {
      if (requiredAffinity.some(({ topologyKey }) => !Object.hasOwn(node.labels, topologyKey))) return noAffinityMatch;
      const isNear = requiredAffinity.every(({ topologyKey }) => affinity.of(node, topologyKey) > 0);
      // the first of several pods with affinity to each other
      const isFirst = affinity.isEmpty && allTermsMatch(requiredAffinity, pod.group);
      if (!isNear && !isFirst) return noAffinityMatch;
      if (requiredAntiAffinity.some(({ topologyKey }) => antiAffinity.of(node, topologyKey) > 0)) {
        return antiAffinityMatch;
      }
      return existing.sumOf(node) > 0 ? existingAntiAffinity : undefined;
    },
    addPod: (other, node) => update(other, node, 1),
    removePod: (other, node) => update(other, node, -1),
    clone: () =>
      affinityFilter({
        ...state,
        existing: existing.clone(),
        affinity: affinity.clone(),
        antiAffinity: antiAffinity.clone(),
      }),
  };
}

/** (scoring.go processExistingPod) */
function scoresOf(
  { group, affinity }: PodInfo,
  nodes: Nodes,
  { namespaces, labels }: { readonly namespaces: Namespaces; readonly labels: Labels | undefined },
): AffinityCounts {
  const scores = new AffinityCounts();
  const { preferredAffinity, preferredAntiAffinity } = unrolled(affinity, namespaces);
  if (preferredAffinity.length + preferredAntiAffinity.length > 0) {
    for (const [other, pods] of nodes.podGroups.list()) {
      count(pods, scores, termsAbout(other, preferredAffinity), ({ weight }) => weight);
      count(pods, scores, termsAbout(other, preferredAntiAffinity), ({ weight }) => -weight);
    }
  }
  const matchesUs = new Map<AffinityTerm, boolean>();
  const isAboutUs = (term: AffinityTerm): boolean => {
    const known = matchesUs.get(term) ?? termMatches(term, group, labels);
    matchesUs.set(term, known);
    return known;
  };
  for (const node of nodes.withAffinity()) {
    for (const [other, pods] of node.affinities) {
      const add = (term: AffinityTerm, weight: number): void => {
        if (isAboutUs(term)) scores.add(node, term.topologyKey, weight * pods);
      };
      for (const term of other.requiredAffinity) add(term, hardPodAffinityWeight);
      for (const term of other.preferredAffinity) add(term, term.weight);
      for (const term of other.preferredAntiAffinity) add(term, -term.weight);
    }
  }
  return scores;
}

function normalizeByRange(scores: number[]): void {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    least = Math.min(least, score);
    most = Math.max(most, score);
  }
  const range = most - least;
  for (const [index, score] of scores.entries()) {
    scores[index] = range === 0 ? 0 : Math.trunc(maxNodeScore * ((score - least) / range));
  }
}

const noNamespace = labelSelectorFromObject(undefined);

/** Returns the terms with the namespaces that their selectors match now. (mergeAffinityTermNamespacesIfNotEmpty) */
function unrolled(terms: PodAffinityTerms, namespaces: Namespaces): PodAffinityTerms {
  if (terms === noAffinity) return terms;
  const unroll = <T extends AffinityTerm>(term: T): T => {
    const { namespaceSelector } = term;
    if (namespaceSelector.isEmpty || namespaceSelector.matchesNothing) return term;
    const selected = [...namespaces.list()].filter(({ metadata }) => namespaceSelector.matches(metadata.labels));
    const names = new Set([...term.namespaces, ...selected.map(({ metadata }) => metadata.name ?? '')]);
    return { ...term, namespaces: names, namespaceSelector: noNamespace };
  };
  return {
    requiredAffinity: terms.requiredAffinity.map(unroll),
    requiredAntiAffinity: terms.requiredAntiAffinity.map(unroll),
    preferredAffinity: terms.preferredAffinity.map(unroll),
    preferredAntiAffinity: terms.preferredAntiAffinity.map(unroll),
  };
}

/**
 * Reports whether a pod came or changed that the required affinity selects, or a pod changed or went that the required
 * anti-affinity selected.
 */
function podChanged({ affinity }: PodInfo, { before, after }: EventObjects, namespaces: Namespaces): boolean {
  const { requiredAffinity, requiredAntiAffinity } = unrolled(affinity, namespaces);
  if (after !== undefined && allTermsMatch(requiredAffinity, groupIn(after))) return true;
  return before !== undefined && allTermsMatch(requiredAntiAffinity, groupIn(before));
}

/**
 * Reports whether a node came with a domain of the pod's terms, or changed such a domain.
 * (isSchedulableAfterNodeChange)
 */
function domainChanged({ affinity }: PodInfo, { before, after }: EventObjects): boolean {
  const { requiredAffinity, requiredAntiAffinity } = affinity;
  const labels = (after as Node).metadata.labels ?? {};
  if (!before) {
    return requiredAntiAffinity.length > 0 || requiredAffinity.some(({ topologyKey }) => labels[topologyKey] !== undefined);
  }
  const old = (before as Node).metadata.labels ?? {};
  return [...requiredAffinity, ...requiredAntiAffinity].some(({ topologyKey: key }) => old[key] !== labels[key]);
}
