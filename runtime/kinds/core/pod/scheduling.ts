import type { Part } from '../../../machinery/object.ts';
import { duplicate, forbidden, invalid, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsLabel, labelValue, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { type Errors, validateEnum, validateFormat } from '../../validation/fields.ts';
import { validateLabelSelector } from '../../validation/labels.ts';
import { validateNodeSelector, validateNodeSelectorTerm, validateTaintEffect } from '../node-selector.ts';

export function validateTolerations(tolerations: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, toleration] of tolerations.entries()) {
    const at = path.index(index);
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    if (key !== '') validateFormat(key, qualifiedName, at.child('key'), errors);
    else if (operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(at.child('operator'), operator, detail));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(at.child('effect'), effect, detail));
    }
    if (operator === 'Equal' || operator === '') {
      const wrong = labelValue(value);
      if (wrong.length > 0) errors.push(invalid(at.child('operator'), value, wrong.join(';')));
    } else if (operator === 'Exists') {
      if (value) errors.push(invalid(at.child('operator'), value, "value must be empty when `operator` is 'Exists'"));
    } else validateEnum(operator, ['Equal', 'Exists'], at.child('operator'), errors);
    if (effect) validateTaintEffect(effect, at.child('effect'), errors);
  }
}

function validateWeight(weight: number | undefined, path: FieldPath, errors: Errors): void {
  if (!weight || weight < 0 || weight > 100) {
    errors.push(invalid(path.child('weight'), weight ?? 0, 'must be in the range 1-100'));
  }
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Part, path: FieldPath, errors: Errors): void {
  const { nodeAffinity } = affinity;
  const node = path.child('nodeAffinity');
  if (nodeAffinity?.[requiredTerms]) {
    validateNodeSelector(nodeAffinity[requiredTerms], node.child(requiredTerms), errors);
  }
  for (const [index, term] of (nodeAffinity?.[preferredTerms] ?? []).entries()) {
    const at = node.child(preferredTerms).index(index);
    validateWeight(term.weight, at, errors);
    validateNodeSelectorTerm(term.preference ?? {}, false, at.child('preference'), errors);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const terms = affinity[kind];
    for (const [index, term] of (terms?.[requiredTerms] ?? []).entries()) {
      validatePodAffinityTerm(term, path.child(kind, requiredTerms).index(index), errors);
    }
    for (const [index, { weight, podAffinityTerm = {} }] of (terms?.[preferredTerms] ?? []).entries()) {
      const at = path.child(kind, preferredTerms).index(index);
      validateWeight(weight, at, errors);
      validatePodAffinityTerm(podAffinityTerm, at.child('podAffinityTerm'), errors);
    }
  }
}

function validatePodAffinityTerm(term: Part, path: FieldPath, errors: Errors): void {
  validateLabelSelector(term.labelSelector, path.child('labelSelector'), errors);
  validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector'), errors);
  for (const namespace of term.namespaces ?? []) validateFormat(namespace, dnsLabel, path.child('namespace'), errors);
  const { matchLabelKeys = [], mismatchLabelKeys = [], topologyKey = '' } = term;
  validateLabelKeys(matchLabelKeys, term.labelSelector, path.child('matchLabelKeys'), errors);
  validateLabelKeys(mismatchLabelKeys, term.labelSelector, path.child('mismatchLabelKeys'), errors);
  const mismatched = new Set(mismatchLabelKeys);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (mismatched.has(key)) {
      const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
      errors.push(invalid(path.child('matchLabelKeys').index(index), key, detail));
    }
  }
  if (topologyKey === '') errors.push(required(path.child('topologyKey'), 'can not be empty'));
  validateFormat(topologyKey, qualifiedName, path.child('topologyKey'), errors);
}

function validateLabelKeys(keys: readonly string[], selector: Part, path: FieldPath, errors: Errors): void {
  if (keys.length === 0) return;
  if (!selector) errors.push(forbidden(path, 'must not be specified when labelSelector is not set'));
  else for (const [index, key] of keys.entries()) validateFormat(key, qualifiedName, path.index(index), errors);
}

export function validateTopologySpreadConstraints(constraints: readonly Part[], path: FieldPath, errors: Errors): void {
  const pairOf = ({ topologyKey, whenUnsatisfiable }: Part): string => JSON.stringify([topologyKey, whenUnsatisfiable]);
  const last = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const at = path.index(index);
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', minDomains, labelSelector } = constraint;
    if (maxSkew <= 0) errors.push(invalid(at.child('maxSkew'), maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    validateEnum(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], at.child('whenUnsatisfiable'), errors);
    const again = last.get(pairOf({ topologyKey, whenUnsatisfiable })) ?? 0;
    if (again > index) {
      const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
      errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pair));
    }
    if (minDomains !== undefined) validateMinDomains(minDomains, whenUnsatisfiable, at.child('minDomains'), errors);
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      if (constraint[name] !== undefined) validateEnum(constraint[name], ['Honor', 'Ignore'], at.child(name), errors);
    }
    validateMatchLabelKeys(constraint, at.child('matchLabelKeys'), errors);
    validateLabelSelector(labelSelector, at.child('labelSelector'), errors);
  }
}

function validateMinDomains(count: number, action: string, path: FieldPath, errors: Errors): void {
  if (count <= 0) errors.push(invalid(path, count, 'must be greater than zero'));
  if (action !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    errors.push(invalid(path, count, detail));
  }
}

function validateMatchLabelKeys({ matchLabelKeys = [], labelSelector }: Part, path: FieldPath, errors: Errors): void {
  if (matchLabelKeys.length === 0) return;
  if (!labelSelector) errors.push(forbidden(path, 'must not be specified when labelSelector is not set'));
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }: Part) => key),
  ]);
  for (const [index, key] of matchLabelKeys.entries()) {
    validateFormat(key, qualifiedName, path.index(index), errors);
    if (selected.has(key)) {
      errors.push(invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector'));
    }
  }
}
