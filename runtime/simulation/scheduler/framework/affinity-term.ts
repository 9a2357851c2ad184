import type { Affinity, PodAffinityTerm, WeightedPodAffinityTerm } from '../../../../generated/v1.35/core/v1/types.ts';
import { type LabelSelector, labelSelectorFromObject } from '../../../machinery/selectors/label-selector.ts';
import { SelectorError } from '../../../machinery/selectors/selector-error.ts';
import type { LabelGroup } from './label-group.ts';

type Labels = Readonly<Record<string, string>>;

/** The pods that a term of affinity selects. (kube-scheduler/framework AffinityTerm) */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelSelector;
  readonly selector: LabelSelector;
  readonly topologyKey: string;
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** The affinity terms of a pod. Pods of one template share them. */
export interface PodAffinityTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedAffinityTerm[];
}

export const noAffinity: PodAffinityTerms = {
  requiredAffinity: [],
  requiredAntiAffinity: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
};

/**
 * @param namespaceLabels the labels of the group's namespace; undefined if the term was unrolled for the pod to be
 *   scheduled
 */
export const termMatches = (term: AffinityTerm, group: LabelGroup, namespaceLabels: Labels | undefined): boolean =>
  (term.namespaces.has(group.namespace) || term.namespaceSelector.matches(namespaceLabels)) && term.selector.matches(group.labels);

/** Reports whether there are terms, and all of them match. (podMatchesAllAffinityTerms) */
export const allTermsMatch = (terms: readonly AffinityTerm[], group: LabelGroup): boolean =>
  terms.length > 0 && terms.every((term) => termMatches(term, group, undefined));

/** Returns the terms of a pod. Terms with an invalid selector are ignored, as in upstream. (PodInfo.Update) */
export function podAffinityTerms({ podAffinity, podAntiAffinity }: Affinity, namespace: string): PodAffinityTerms {
  const required = (terms: readonly PodAffinityTerm[] | undefined): AffinityTerm[] =>
    orNone(() => (terms ?? []).map((term) => affinityTerm(term, namespace)));
  const preferred = (terms: readonly WeightedPodAffinityTerm[] | undefined): WeightedAffinityTerm[] =>
    orNone(() => (terms ?? []).map(({ podAffinityTerm, weight }) => ({ ...affinityTerm(podAffinityTerm, namespace), weight })));
  return {
    requiredAffinity: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinity: preferred(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAntiAffinity: preferred(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
  };
}

/** Converts a term. Its matchLabelKeys are already part of the selector, since the pod's creation. */
function affinityTerm(term: PodAffinityTerm, namespace: string): AffinityTerm {
  const { namespaces = [], namespaceSelector, labelSelector, topologyKey } = term;
  return {
    namespaces: new Set(namespaces.length === 0 && !namespaceSelector ? [namespace] : namespaces),
    namespaceSelector: labelSelectorFromObject(namespaceSelector),
    selector: labelSelectorFromObject(labelSelector),
    topologyKey,
  };
}

function orNone<T>(terms: () => T[]): T[] {
  try {
    return terms();
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}
