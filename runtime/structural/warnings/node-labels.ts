import { labelValue } from '../../machinery/name-formats.ts';
import type { Part } from '../../machinery/object.ts';

/** Labels of nodes that have better names today. (pkg/api/node/util.go) */
const deprecated: ReadonlyMap<string, string> = new Map([
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
export const labelWarning = (key: string): string | undefined => deprecated.get(key);

/** Of a NodeSelectorTerm. */
export function warnOfNodeSelectorTerm(term: Part, path: string, checkValues: boolean, warnings: string[]): void {
  for (const [index, { key, values }] of (term?.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    const why = labelWarning(key);
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
export function warnOfNodeSelector(selector: Part, path: string, warnings: string[]): void {
  for (const [index, { key }] of (selector?.matchExpressions ?? []).entries()) {
    const why = labelWarning(key);
    if (why !== undefined) warnings.push(`${path}.matchExpressions[${index}].key: ${key} is ${why}`);
  }
  for (const key of Object.keys(selector?.matchLabels ?? {})) {
    const why = labelWarning(key);
    if (why !== undefined) warnings.push(`${path}.matchLabels.${key}: ${why}`);
  }
}
