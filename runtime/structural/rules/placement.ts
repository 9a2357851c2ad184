import { duplicate, forbidden, invalid, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkEnum, checkFormat, checkLabelSelector, checkOperator, type Errors } from './checks.ts';
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './text-formats.ts';

/** Where pods may run: affinity, tolerations, spreading. (pkg/apis/core/validation) */

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function checkTaintEffect(effect: string, path: FieldPath, errors: Errors): void {
  checkEnum(effect, taintEffects, path, errors);
}

export function checkTolerations(tolerations: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, toleration] of tolerations.entries()) {
    const at = path.index(index);
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    if (key !== '') checkFormat(key, qualifiedName, at.child('key'), errors);
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
    } else checkEnum(operator, ['Equal', 'Exists'], at.child('operator'), errors);
    if (effect) checkTaintEffect(effect, at.child('effect'), errors);
  }
}

/** (ValidateNodeSelector) */
export function checkNodeSelector(selector: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('nodeSelectorTerms');
  const terms: readonly Part[] = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) errors.push(required(at, 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) checkNodeSelectorTerm(term, true, at.index(index), errors);
}

/** Values need be those of labels only where they are required: what is merely preferred may never match. */
function checkNodeSelectorTerm(term: Part, isRequired: boolean, path: FieldPath, errors: Errors): void {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    const { operator, key = '', values = [] } = requirement;
    if (operator === 'Gt' || operator === 'Lt') {
      if (values.length !== 1) {
        const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
        errors.push(required(at.child('values'), detail));
      }
    } else checkOperator(requirement, at, errors);
    checkFormat(key, qualifiedName, at.child('key'), errors);
    if (!isRequired) continue;
    for (const [place, value] of values.entries()) {
      checkFormat(value, labelValue, at.child('values').index(place), errors);
    }
  }
  for (const [index, { operator, key, values = [] }] of (term.matchFields ?? []).entries()) {
    const at = path.child('matchFields').index(index);
    if (operator !== 'In' && operator !== 'NotIn') {
      errors.push(invalid(at.child('operator'), operator ?? '', 'not a valid selector operator'));
    } else if (values.length !== 1) {
      const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      errors.push(required(at.child('values'), detail));
    }
    if (key !== 'metadata.name') {
      errors.push(invalid(at.child('key'), key ?? '', 'not a valid field selector key'));
    } else {
      for (const [place, value] of values.entries()) {
        checkFormat(value, dnsSubdomain, at.child('values').index(place), errors);
      }
    }
  }
}

function checkWeight(weight: number | undefined, path: FieldPath, errors: Errors): void {
  if (!weight || weight < 0 || weight > 100) {
    errors.push(invalid(path.child('weight'), weight ?? 0, 'must be in the range 1-100'));
  }
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

export function checkAffinity(affinity: Part, path: FieldPath, errors: Errors): void {
  const { nodeAffinity } = affinity;
  const node = path.child('nodeAffinity');
  if (nodeAffinity?.[requiredTerms]) {
    checkNodeSelector(nodeAffinity[requiredTerms], node.child(requiredTerms), errors);
  }
  for (const [index, term] of (nodeAffinity?.[preferredTerms] ?? []).entries()) {
    const at = node.child(preferredTerms).index(index);
    checkWeight(term.weight, at, errors);
    checkNodeSelectorTerm(term.preference ?? {}, false, at.child('preference'), errors);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const terms = affinity[kind];
    for (const [index, term] of (terms?.[requiredTerms] ?? []).entries()) {
      checkPodAffinityTerm(term, path.child(kind, requiredTerms).index(index), errors);
    }
    for (const [index, { weight, podAffinityTerm = {} }] of (terms?.[preferredTerms] ?? []).entries()) {
      const at = path.child(kind, preferredTerms).index(index);
      checkWeight(weight, at, errors);
      checkPodAffinityTerm(podAffinityTerm, at.child('podAffinityTerm'), errors);
    }
  }
}

function checkPodAffinityTerm(term: Part, path: FieldPath, errors: Errors): void {
  checkLabelSelector(term.labelSelector, path.child('labelSelector'), errors);
  checkLabelSelector(term.namespaceSelector, path.child('namespaceSelector'), errors);
  for (const namespace of term.namespaces ?? []) checkFormat(namespace, dnsLabel, path.child('namespace'), errors);
  const { matchLabelKeys = [], mismatchLabelKeys = [], topologyKey = '' } = term;
  checkLabelKeys(matchLabelKeys, term.labelSelector, path.child('matchLabelKeys'), errors);
  checkLabelKeys(mismatchLabelKeys, term.labelSelector, path.child('mismatchLabelKeys'), errors);
  const mismatched = new Set(mismatchLabelKeys);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (mismatched.has(key)) {
      const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
      errors.push(invalid(path.child('matchLabelKeys').index(index), key, detail));
    }
  }
  if (topologyKey === '') errors.push(required(path.child('topologyKey'), 'can not be empty'));
  checkFormat(topologyKey, qualifiedName, path.child('topologyKey'), errors);
}

function checkLabelKeys(keys: readonly string[], selector: Part, path: FieldPath, errors: Errors): void {
  if (keys.length === 0) return;
  if (!selector) errors.push(forbidden(path, 'must not be specified when labelSelector is not set'));
  else for (const [index, key] of keys.entries()) checkFormat(key, qualifiedName, path.index(index), errors);
}

export function checkTopologySpread(constraints: readonly Part[], path: FieldPath, errors: Errors): void {
  const pairOf = ({ topologyKey, whenUnsatisfiable }: Part): string => JSON.stringify([topologyKey, whenUnsatisfiable]);
  const last = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const at = path.index(index);
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', minDomains, labelSelector } = constraint;
    if (maxSkew <= 0) errors.push(invalid(at.child('maxSkew'), maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    checkEnum(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], at.child('whenUnsatisfiable'), errors);
    const again = last.get(pairOf({ topologyKey, whenUnsatisfiable })) ?? 0;
    if (again > index) {
      const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
      errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pair));
    }
    if (minDomains !== undefined) checkMinDomains(minDomains, whenUnsatisfiable, at.child('minDomains'), errors);
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      if (constraint[name] !== undefined) checkEnum(constraint[name], ['Honor', 'Ignore'], at.child(name), errors);
    }
    checkSpreadKeys(constraint, at.child('matchLabelKeys'), errors);
    checkLabelSelector(labelSelector, at.child('labelSelector'), errors);
  }
}

function checkMinDomains(count: number, action: string, path: FieldPath, errors: Errors): void {
  if (count <= 0) errors.push(invalid(path, count, 'must be greater than zero'));
  if (action !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    errors.push(invalid(path, count, detail));
  }
}

function checkSpreadKeys({ matchLabelKeys = [], labelSelector }: Part, path: FieldPath, errors: Errors): void {
  if (matchLabelKeys.length === 0) return;
  if (!labelSelector) errors.push(forbidden(path, 'must not be specified when labelSelector is not set'));
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }: Part) => key),
  ]);
  for (const [index, key] of matchLabelKeys.entries()) {
    checkFormat(key, qualifiedName, path.index(index), errors);
    if (selected.has(key)) {
      errors.push(invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector'));
    }
  }
}
