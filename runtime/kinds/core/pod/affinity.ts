import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { validateFormat } from '../../validation/fields.ts';
import { validateLabelSelector } from '../../validation/labels.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '../node-selector.ts';
import { validateMatchLabelKeysAndMismatchLabelKeys } from './label-keys.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** Affinity and anti-affinity of pods to nodes and to other pods. (pkg/apis/core/validation) */

type Affinity = Unvalidated<core.Affinity>;
type PodAffinityTerm = Unvalidated<core.PodAffinityTerm>;

export const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
export const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

/** (validateAffinity) */
export function validateAffinity(affinity: Affinity, field: Field, options: PodValidationOptions): void {
  if (affinity.nodeAffinity) validateNodeAffinity(affinity.nodeAffinity, field.child('nodeAffinity'), options);
  visitPodAffinityTerms(affinity, field, (term, at, weight) => {
    if (weight !== undefined) validateWeight(weight, at);
    validatePodAffinityTerm(term, weight === undefined ? at : at.child('podAffinityTerm'), options);
  });
}

/**
 * Calls `visit` for each term of podAffinity and podAntiAffinity.
 *
 * @param visit receives the weight of a preferred term, undefined for a required one, and the path of the term's
 *   owner
 */
function visitPodAffinityTerms(
  affinity: Affinity,
  field: Field,
  visit: (term: PodAffinityTerm, field: Field, weight: number | undefined) => void,
): void {
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const terms = affinity[kind];
    if (!terms) continue;
    for (const [index, term] of (terms[requiredTerms] ?? []).entries()) {
      visit(term, field.child(kind, requiredTerms).index(index), undefined);
    }
    for (const [index, { weight = 0, podAffinityTerm = {} }] of (terms[preferredTerms] ?? []).entries()) {
      visit(podAffinityTerm, field.child(kind, preferredTerms).index(index), weight);
    }
  }
}

/** Returns the terms of podAffinity and podAntiAffinity. */
export function podAffinityTerms(affinity: Affinity): PodAffinityTerm[] {
  const required = [affinity.podAffinity, affinity.podAntiAffinity].flatMap((terms) => terms?.[requiredTerms] ?? []);
  const preferred = [affinity.podAffinity, affinity.podAntiAffinity].flatMap((terms) => terms?.[preferredTerms] ?? []);
  return [...required, ...preferred.flatMap(({ podAffinityTerm }) => podAffinityTerm ?? [])];
}

/** (validateNodeAffinity, ValidatePreferredSchedulingTerms) */
function validateNodeAffinity(
  affinity: Unvalidated<core.NodeAffinity>,
  field: Field,
  { allowInvalidLabelValueInRequiredNodeAffinity }: PodValidationOptions,
): void {
  const required = affinity[requiredTerms];
  if (required) {
    validateNodeSelector(required, field.child(requiredTerms), allowInvalidLabelValueInRequiredNodeAffinity);
  }
  for (const [index, { weight, preference = {} }] of (affinity[preferredTerms] ?? []).entries()) {
    const at = field.child(preferredTerms).index(index);
    validateWeight(weight ?? 0, at);
    validateNodeSelectorTerm(preference, at.child('preference'), true);
  }
}

function validateWeight(weight: number, field: Field): void {
  if (weight <= 0 || weight > 100) field.child('weight').invalid(weight, 'must be in the range 1-100');
}

/** (validatePodAffinityTerm) */
function validatePodAffinityTerm(term: PodAffinityTerm, field: Field, options: PodValidationOptions): void {
  validatePodAffinityTermSelector(term, field, options);
  for (const namespace of term.namespaces ?? []) validateFormat(namespace, dnsLabel, field.child('namespace'));
  validateMatchLabelKeysAndMismatchLabelKeys(term, field);
  const { topologyKey = '' } = term;
  if (topologyKey === '') field.child('topologyKey').required('can not be empty');
  validateFormat(topologyKey, qualifiedName, field.child('topologyKey'));
}

/** (ValidatePodAffinityTermSelector) */
export function validatePodAffinityTermSelector(
  { labelSelector, namespaceSelector }: PodAffinityTerm,
  field: Field,
  options: Pick<PodValidationOptions, 'allowInvalidLabelValueInSelector'>,
): void {
  validateLabelSelector(labelSelector, field.child('labelSelector'), options);
  validateLabelSelector(namespaceSelector, field.child('namespaceSelector'), options);
}
