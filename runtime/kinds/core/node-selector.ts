import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain, labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from '../validation/fields.ts';
import { validateLabelSelectorOperator } from '../validation/labels.ts';

/** Where pods may run: affinity, tolerations, spreading. (pkg/apis/core/validation) */

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTaintEffect(effect: string, field: Field): void {
  validateEnum(effect, taintEffects, field);
}

/** (ValidateNodeSelector) */
export function validateNodeSelector(selector: Part, field: Field): void {
  const at = field.child('nodeSelectorTerms');
  const terms: readonly Part[] = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) at.required('must have at least one node selector term');
  for (const [index, term] of terms.entries()) validateNodeSelectorTerm(term, true, at.index(index));
}

/** Values need be those of labels only where they are required: what is merely preferred may never match. */
export function validateNodeSelectorTerm(term: Part, isRequired: boolean, path: Field): void {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    const { operator, key = '', values = [] } = requirement;
    if (operator === 'Gt' || operator === 'Lt') {
      if (values.length !== 1) {
        const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
        at.child('values').required(detail);
      }
    } else validateLabelSelectorOperator(requirement, at);
    validateFormat(key, qualifiedName, at.child('key'));
    if (!isRequired) continue;
    for (const [place, value] of values.entries()) {
      validateFormat(value, labelValue, at.child('values').index(place));
    }
  }
  for (const [index, { operator, key, values = [] }] of (term.matchFields ?? []).entries()) {
    const at = path.child('matchFields').index(index);
    if (operator !== 'In' && operator !== 'NotIn') {
      at.child('operator').invalid(operator ?? '', 'not a valid selector operator');
    } else if (values.length !== 1) {
      const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      at.child('values').required(detail);
    }
    if (key !== 'metadata.name') {
      at.child('key').invalid(key ?? '', 'not a valid field selector key');
    } else {
      for (const [place, value] of values.entries()) {
        validateFormat(value, dnsSubdomain, at.child('values').index(place));
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
