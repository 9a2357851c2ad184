import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateFormat } from '../validation/fields.ts';
import { cidrVersion, validateCIDR } from '../validation/ip.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';
import { validateTaintEffect } from './node-selector.ts';
import { roundResourceList, validateResourceQuantityValue } from './resource-list.ts';

/** (pkg/registry/core/node/strategy.go) */
export const nodeStrategy: RESTStrategy = {
  resourceLocation: ({ metadata }) => metadata.name ?? '',
};

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
function validateNodeTaints(taints: readonly Part[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = field.index(index);
    const { key = '', value = '', effect = '' } = taint;
    validateFormat(key, qualifiedName, at.child('key'));
    const wrong = labelValue(value);
    if (wrong.length > 0) at.child('value').invalid(value, wrong.join(';'));
    if (effect === '') at.child('effect').required();
    else validateTaintEffect(effect, at.child('effect'));
    if (seen.has(`${effect} ${key}`)) {
      at.duplicate(taint, 'taints must be unique by key and effect pair');
    }
    seen.add(`${effect} ${key}`);
  }
}

export function validateNode(node: Part, field: Field): void {
  validateNodeTaints(node.spec?.taints ?? [], field.child('metadata', 'taints'));
  for (const list of ['capacity', 'allocatable']) {
    const amounts = node.status?.[list] ?? {};
    for (const name of Object.keys(amounts))
      validateResourceQuantityValue(name, amounts[name], field.child('status', list, name));
  }
  const ranges: readonly string[] = node.spec?.podCIDRs ?? [];
  const at = field.child('spec', 'podCIDRs');
  for (const [index, range] of ranges.entries()) validateCIDR(range, at.index(index));
  if (ranges.length > 1 && (ranges.length > 2 || new Set(ranges.map(cidrVersion)).size < 2)) {
    at.invalid(ranges, 'may specify no more than one CIDR for each IP family');
  }
}

export function validateNodeUpdate(node: Part, old: Part, field: Field): void {
  const spec = field.child('spec');
  if (old.spec?.podCIDRs?.length > 0 && !semanticDeepEqual(node.spec?.podCIDRs, old.spec.podCIDRs)) {
    spec.child('podCIDRs').forbidden('node updates may not change podCIDR except from "" to valid');
  }
  if (old.spec?.providerID && node.spec?.providerID !== old.spec.providerID) {
    spec.child('providerID').forbidden('node updates may not change providerID except from "" to valid');
  }
}

/** (pkg/registry/core/node/strategy.go) */
export const nodeWarnings: WarningStrategy = warningsOnWrite(({ spec }) => {
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
