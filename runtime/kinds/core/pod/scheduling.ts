import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { LabelSelector } from '../../../../generated/v1.35/meta/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, labelValue, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from '../../validation/fields.ts';
import { validateLabelSelector } from '../../validation/labels.ts';
import { validateNodeSelector, validateNodeSelectorTerm, validateTaintEffect } from '../node-selector.ts';

/** Where a pod may run: tolerations, affinity and topology spread. (pkg/apis/core/validation) */

/** (ValidateTolerations) */
export function validateTolerations(tolerations: readonly Unvalidated<core.Toleration>[], field: Field): void {
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    const at = field.index(index);
    if (key !== '') validateFormat(key, qualifiedName, at.child('key'));
    else if (operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      at.child('operator').invalid(operator, detail);
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      at.child('effect').invalid(effect, detail);
    }
    if (operator === 'Equal' || operator === '') {
      const messages = labelValue(value);
      if (messages.length > 0) at.child('operator').invalid(value, messages.join(';'));
    } else if (operator === 'Exists') {
      if (value) at.child('operator').invalid(value, "value must be empty when `operator` is 'Exists'");
    } else validateEnum(operator, ['Equal', 'Exists'], at.child('operator'));
    if (effect) validateTaintEffect(effect, at.child('effect'));
  }
}

function validateWeight(weight: number | undefined, field: Field): void {
  if (!weight || weight < 0 || weight > 100) {
    field.child('weight').invalid(weight ?? 0, 'must be in the range 1-100');
  }
}

export const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
export const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Unvalidated<core.Affinity>, field: Field): void {
  const { nodeAffinity } = affinity;
  const node = field.child('nodeAffinity');
  if (nodeAffinity?.[requiredTerms]) {
    validateNodeSelector(nodeAffinity[requiredTerms], node.child(requiredTerms));
  }
  for (const [index, term] of (nodeAffinity?.[preferredTerms] ?? []).entries()) {
    const at = node.child(preferredTerms).index(index);
    validateWeight(term.weight, at);
    validateNodeSelectorTerm(term.preference ?? {}, false, at.child('preference'));
  }
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const terms = affinity[kind];
    for (const [index, term] of (terms?.[requiredTerms] ?? []).entries()) {
      validatePodAffinityTerm(term, field.child(kind, requiredTerms).index(index));
    }
    for (const [index, { weight, podAffinityTerm = {} }] of (terms?.[preferredTerms] ?? []).entries()) {
      const at = field.child(kind, preferredTerms).index(index);
      validateWeight(weight, at);
      validatePodAffinityTerm(podAffinityTerm, at.child('podAffinityTerm'));
    }
  }
}

function validatePodAffinityTerm(term: Unvalidated<core.PodAffinityTerm>, field: Field): void {
  validateLabelSelector(term.labelSelector, field.child('labelSelector'));
  validateLabelSelector(term.namespaceSelector, field.child('namespaceSelector'));
  for (const namespace of term.namespaces ?? []) validateFormat(namespace, dnsLabel, field.child('namespace'));
  const { matchLabelKeys = [], mismatchLabelKeys = [], topologyKey = '' } = term;
  validateLabelKeys(matchLabelKeys, term.labelSelector, field.child('matchLabelKeys'));
  validateLabelKeys(mismatchLabelKeys, term.labelSelector, field.child('mismatchLabelKeys'));
  const mismatched = new Set(mismatchLabelKeys);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (mismatched.has(key)) {
      const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
      field.child('matchLabelKeys').index(index).invalid(key, detail);
    }
  }
  if (topologyKey === '') field.child('topologyKey').required('can not be empty');
  validateFormat(topologyKey, qualifiedName, field.child('topologyKey'));
}

function validateLabelKeys(
  keys: readonly string[],
  selector: Unvalidated<LabelSelector> | undefined,
  field: Field,
): void {
  if (keys.length === 0) return;
  if (!selector) field.forbidden('must not be specified when labelSelector is not set');
  else for (const [index, key] of keys.entries()) validateFormat(key, qualifiedName, field.index(index));
}

type SpreadConstraint = Unvalidated<core.TopologySpreadConstraint>;

export function validateTopologySpreadConstraints(constraints: readonly SpreadConstraint[], field: Field): void {
  const keyOf = ({ topologyKey, whenUnsatisfiable }: SpreadConstraint): string =>
    JSON.stringify([topologyKey, whenUnsatisfiable]);
  const lastIndexes = new Map(constraints.map((constraint, index) => [keyOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const at = field.index(index);
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', minDomains, labelSelector } = constraint;
    if (maxSkew <= 0) at.child('maxSkew').invalid(maxSkew, 'must be greater than zero');
    if (topologyKey === '') at.child('topologyKey').required('can not be empty');
    validateEnum(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], at.child('whenUnsatisfiable'));
    if ((lastIndexes.get(keyOf(constraint)) ?? 0) > index) {
      const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
      at.child('{topologyKey, whenUnsatisfiable}').duplicate(pair);
    }
    if (minDomains !== undefined) validateMinDomains(minDomains, whenUnsatisfiable, at.child('minDomains'));
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[name];
      if (policy !== undefined) validateEnum(policy, ['Honor', 'Ignore'], at.child(name));
    }
    validateMatchLabelKeys(constraint, at.child('matchLabelKeys'));
    validateLabelSelector(labelSelector, at.child('labelSelector'));
  }
}

function validateMinDomains(count: number, action: string, field: Field): void {
  if (count <= 0) field.invalid(count, 'must be greater than zero');
  if (action !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    field.invalid(count, detail);
  }
}

function validateMatchLabelKeys({ matchLabelKeys = [], labelSelector }: SpreadConstraint, field: Field): void {
  if (matchLabelKeys.length === 0) return;
  if (!labelSelector) field.forbidden('must not be specified when labelSelector is not set');
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  for (const [index, key] of matchLabelKeys.entries()) {
    validateFormat(key, qualifiedName, field.index(index));
    if (selected.has(key)) {
      field.index(index).invalid(key, 'exists in both matchLabelKeys and labelSelector');
    }
  }
}
