import type { Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain, labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { type Errors, validateEnum, validateFormat } from '../validation/fields.ts';
import { validateLabelSelectorOperator } from '../validation/labels.ts';

/** Where pods may run: affinity, tolerations, spreading. (pkg/apis/core/validation) */

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTaintEffect(effect: string, path: FieldPath, errors: Errors): void {
  validateEnum(effect, taintEffects, path, errors);
}

/** (ValidateNodeSelector) */
export function validateNodeSelector(selector: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('nodeSelectorTerms');
  const terms: readonly Part[] = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) errors.push(required(at, 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) validateNodeSelectorTerm(term, true, at.index(index), errors);
}

/** Values need be those of labels only where they are required: what is merely preferred may never match. */
export function validateNodeSelectorTerm(term: Part, isRequired: boolean, path: FieldPath, errors: Errors): void {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    const { operator, key = '', values = [] } = requirement;
    if (operator === 'Gt' || operator === 'Lt') {
      if (values.length !== 1) {
        const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
        errors.push(required(at.child('values'), detail));
      }
    } else validateLabelSelectorOperator(requirement, at, errors);
    validateFormat(key, qualifiedName, at.child('key'), errors);
    if (!isRequired) continue;
    for (const [place, value] of values.entries()) {
      validateFormat(value, labelValue, at.child('values').index(place), errors);
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
        validateFormat(value, dnsSubdomain, at.child('values').index(place), errors);
      }
    }
  }
}

/** Labels of nodes that have better names today. (pkg/api/node/util.go) */
const deprecatedNodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** What is said of a node label; undefined for one that is fine. */
export const nodeLabelWarning = (key: string): string | undefined => deprecatedNodeLabels.get(key);

/** Of a NodeSelectorTerm. */
export function addNodeSelectorTermWarnings(term: Part, path: string, checkValues: boolean, warnings: string[]): void {
  for (const [index, { key, values }] of (term?.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    const why = nodeLabelWarning(key);
    if (why !== undefined) warnings.push(`${at}.key: ${key} is ${why}`);
    if (!checkValues) continue;
    for (const [place, value] of (values ?? []).entries()) {
      for (const problem of labelValue(value)) {
        warnings.push(`${at}.values[${place}]: ${value} is invalid, ${problem}`);
      }
    }
  }
}

/** Of a LabelSelector that selects nodes. */
export function addNodeSelectorWarnings(selector: Part, path: string, warnings: string[]): void {
  for (const [index, { key }] of (selector?.matchExpressions ?? []).entries()) {
    const why = nodeLabelWarning(key);
    if (why !== undefined) warnings.push(`${path}.matchExpressions[${index}].key: ${key} is ${why}`);
  }
  for (const key of Object.keys(selector?.matchLabels ?? {})) {
    const why = nodeLabelWarning(key);
    if (why !== undefined) warnings.push(`${path}.matchLabels.${key}: ${why}`);
  }
}
