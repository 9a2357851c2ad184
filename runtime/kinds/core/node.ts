import type { KubeObject, Part } from '../../machinery/object.ts';
import { duplicate, forbidden, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { type Errors, semanticDeepEqual, validateFormat } from '../validation/fields.ts';
import { cidrVersion, validateCIDR } from '../validation/ip.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { always, type WarningRules } from '../warnings.ts';
import { validateTaintEffect } from './node-selector.ts';
import { roundResourceList, validateResourceQuantityValue } from './resource-list.ts';

/** The first of a node's ranges is its range; as with addresses, the single one counts. (as above, NodeSpec) */
export function setNodePodCIDRs(spec: Part): void {
  const [first] = spec.podCIDRs ?? [];
  if (!spec.podCIDR) {
    if (first !== undefined) spec.podCIDR = first;
  } else if (spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
}

/** (SetDefaults_NodeStatus) What can be allocated is what there is. */
export function setNodeAllocatable(status: Part): void {
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
  roundResourceList(status.capacity);
  roundResourceList(status.allocatable);
}

/** Nodes, namespaces, volumes, endpoints, replication controllers, events. (pkg/apis/core/validation) */

/** (validateNodeTaints) Upstream says of the metadata what is wrong with the spec's taints. */
function validateNodeTaints(taints: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = path.index(index);
    const { key = '', value = '', effect = '' } = taint;
    validateFormat(key, qualifiedName, at.child('key'), errors);
    const wrong = labelValue(value);
    if (wrong.length > 0) errors.push(invalid(at.child('value'), value, wrong.join(';')));
    if (effect === '') errors.push(required(at.child('effect')));
    else validateTaintEffect(effect, at.child('effect'), errors);
    if (seen.has(`${effect} ${key}`)) {
      errors.push({ ...duplicate(at, taint), detail: 'taints must be unique by key and effect pair' });
    }
    seen.add(`${effect} ${key}`);
  }
}

export function validateNode(node: Part, path: FieldPath, errors: Errors): void {
  validateNodeTaints(node.spec?.taints ?? [], path.child('metadata', 'taints'), errors);
  for (const list of ['capacity', 'allocatable']) {
    const amounts = node.status?.[list] ?? {};
    for (const name of Object.keys(amounts))
      validateResourceQuantityValue(name, amounts[name], path.child('status', list, name), errors);
  }
  const ranges: readonly string[] = node.spec?.podCIDRs ?? [];
  const at = path.child('spec', 'podCIDRs');
  for (const [index, range] of ranges.entries()) validateCIDR(range, at.index(index), errors);
  if (ranges.length > 1 && (ranges.length > 2 || new Set(ranges.map(cidrVersion)).size < 2)) {
    errors.push(invalid(at, ranges, 'may specify no more than one CIDR for each IP family'));
  }
}

export function validateNodeUpdate(node: Part, old: Part, path: FieldPath, errors: Errors): void {
  const spec = path.child('spec');
  if (old.spec?.podCIDRs?.length > 0 && !semanticDeepEqual(node.spec?.podCIDRs, old.spec.podCIDRs)) {
    errors.push(forbidden(spec.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  }
  if (old.spec?.providerID && node.spec?.providerID !== old.spec.providerID) {
    errors.push(forbidden(spec.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  }
}

/** (pkg/registry/core/node/strategy.go) */
export const nodeWarnings: WarningRules = always(({ spec }) => {
  const warnings: string[] = [];
  if (spec?.configSource) warnings.push('spec.configSource: the feature is removed');
  if (spec?.externalID) {
    warnings.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
  for (const [index, block] of (spec?.podCIDRs ?? []).entries()) {
    addCIDRWarnings(`spec.podCIDRs[${index}]`, block, warnings);
  }
  return warnings;
});

export function nodeStatus({ spec, status }: KubeObject): string {
  const ready = status?.conditions?.findLast(({ type }: Part) => type === 'Ready');
  const text = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

const rolePrefix = 'node-role.kubernetes.io/';

export function nodeRoles({ metadata }: KubeObject): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(metadata.labels ?? {})) {
    if (label.startsWith(rolePrefix)) roles.add(label.slice(rolePrefix.length));
    else if (label === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

const address = ({ status }: KubeObject, wanted: string): string =>
  status?.addresses?.find(({ type }: Part) => type === wanted)?.address ?? '<none>';

export const nodeInternalIP = (node: KubeObject): string => address(node, 'InternalIP');
export const nodeExternalIP = (node: KubeObject): string => address(node, 'ExternalIP');
