import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { LabelSelector } from '../../../generated/v1.35/meta/v1/types.ts';
import { GoPointer } from '../../machinery/go/value.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain, labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from '../validation/fields.ts';
import { validateLabelSelectorOperator } from '../validation/labels.ts';

/** Node selectors, taint effects and node labels. (pkg/apis/core/validation, pkg/api/node) */

type NodeSelectorTerm = Unvalidated<core.NodeSelectorTerm>;

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** (validateTaintEffect) */
export function validateTaintEffect(effect: string, field: Field): void {
  validateEnum(effect, taintEffects, field);
}

/** (ValidateNodeSelector) */
export function validateNodeSelector(selector: Unvalidated<core.NodeSelector>, field: Field, allowInvalidLabelValue = false): void {
  const at = field.child('nodeSelectorTerms');
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) at.required('must have at least one node selector term');
  for (const [index, term] of terms.entries()) validateNodeSelectorTerm(term, at.index(index), allowInvalidLabelValue);
}

/**
 * (ValidateNodeSelectorTerm)
 *
 * @param allowInvalidLabelValue true for preferred terms
 */
export function validateNodeSelectorTerm(term: NodeSelectorTerm, field: Field, allowInvalidLabelValue: boolean): void {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    const at = field.child('matchExpressions').index(index);
    const { operator, key = '', values = [] } = requirement;
    if (operator === 'Gt' || operator === 'Lt') {
      if (values.length !== 1) {
        const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
        at.child('values').required(detail);
      }
    } else validateLabelSelectorOperator(requirement, at);
    validateFormat(key, qualifiedName, at.child('key'));
    if (allowInvalidLabelValue) continue;
    for (const [valueIndex, value] of values.entries()) {
      validateFormat(value, labelValue, at.child('values').index(valueIndex));
    }
  }
  for (const [index, { operator, key, values = [] }] of (term.matchFields ?? []).entries()) {
    const at = field.child('matchFields').index(index);
    if (operator !== 'In' && operator !== 'NotIn') {
      at.child('operator').invalid(new GoPointer(operator ?? ''), 'not a valid selector operator');
    } else if (values.length !== 1) {
      const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      at.child('values').required(detail);
    }
    if (key !== 'metadata.name') {
      at.child('key').invalid(key ?? '', 'not a valid field selector key');
    } else {
      for (const [valueIndex, value] of values.entries()) {
        validateFormat(value, dnsSubdomain, at.child('values').index(valueIndex));
      }
    }
  }
}

/** (pkg/api/node/util.go) */
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

/** Returns undefined for labels that are not deprecated. (GetNodeLabelDeprecatedMessage) */
export const nodeLabelWarning = (key: string): string | undefined => deprecatedNodeLabels.get(key);

/** (GetWarningsForNodeSelectorTerm) */
export function addNodeSelectorTermWarnings(
  term: NodeSelectorTerm | undefined,
  path: string,
  checkValues: boolean,
  warnings: string[],
): void {
  for (const [index, { key = '', values }] of (term?.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    const message = nodeLabelWarning(key);
    if (message !== undefined) warnings.push(`${at}.key: ${key} is ${message}`);
    if (!checkValues) continue;
    for (const [valueIndex, value] of (values ?? []).entries()) {
      for (const message of labelValue(value)) {
        warnings.push(`${at}.values[${valueIndex}]: ${value} is invalid, ${message}`);
      }
    }
  }
}

/** Warns about a LabelSelector that selects nodes. (GetWarningsForNodeSelector) */
export function addNodeSelectorWarnings(selector: Unvalidated<LabelSelector> | undefined, path: string, warnings: string[]): void {
  for (const [index, { key = '' }] of (selector?.matchExpressions ?? []).entries()) {
    const message = nodeLabelWarning(key);
    if (message !== undefined) warnings.push(`${path}.matchExpressions[${index}].key: ${key} is ${message}`);
  }
  for (const key of Object.keys(selector?.matchLabels ?? {})) {
    const message = nodeLabelWarning(key);
    if (message !== undefined) warnings.push(`${path}.matchLabels.${key}: ${message}`);
  }
}
