import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateFormat } from '../validation/fields.ts';
import { cidrVersion, validateCIDR } from '../validation/ip.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { warningsOnWrite } from '../warnings.ts';
import { validateTaintEffect } from './node-selector.ts';
import { roundResourceList, validateResourceQuantityValue } from './resource-list.ts';

/** (pkg/registry/core/node/strategy.go) */
export const nodeStrategy: RESTStrategy = {
  resourceLocation: ({ metadata }) => metadata.name ?? '',
};

type Node = Unvalidated<core.Node>;

/** `podCIDR` is the first of `podCIDRs`. If they differ, `podCIDR` wins. (Convert_v1_NodeSpec_To_core_NodeSpec) */
export function setNodePodCIDRs(spec: Unvalidated<core.NodeSpec>): void {
  const [first] = spec.podCIDRs ?? [];
  if (!spec.podCIDR) {
    if (first !== undefined) spec.podCIDR = first;
  } else if (spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
}

/** (SetDefaults_NodeStatus) */
export function setNodeAllocatable(status: Unvalidated<core.NodeStatus>): void {
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
  roundResourceList(status.capacity);
  roundResourceList(status.allocatable);
}

/** (validateNodeTaints) */
function validateNodeTaints(taints: readonly Unvalidated<core.Taint>[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = field.index(index);
    const { key = '', value = '', effect = '' } = taint;
    validateFormat(key, qualifiedName, at.child('key'));
    const messages = labelValue(value);
    if (messages.length > 0) at.child('value').invalid(value, messages.join(';'));
    if (effect === '') at.child('effect').required();
    else validateTaintEffect(effect, at.child('effect'));
    if (seen.has(`${effect} ${key}`)) {
      at.duplicate(taint, 'taints must be unique by key and effect pair');
    }
    seen.add(`${effect} ${key}`);
  }
}

/** (ValidateNode) */
export function validateNode(node: Node, field: Field): void {
  // as upstream, errors name the metadata, although taints are in the spec
  validateNodeTaints(node.spec?.taints ?? [], field.child('metadata', 'taints'));
  for (const list of ['capacity', 'allocatable'] as const) {
    for (const [name, amount] of Object.entries(node.status?.[list] ?? {})) {
      validateResourceQuantityValue(name, amount, field.child('status', list, name));
    }
  }
  const cidrs = node.spec?.podCIDRs ?? [];
  const at = field.child('spec', 'podCIDRs');
  for (const [index, cidr] of cidrs.entries()) validateCIDR(cidr, at.index(index));
  if (cidrs.length > 1 && (cidrs.length > 2 || new Set(cidrs.map(cidrVersion)).size < 2)) {
    at.invalid(cidrs, 'may specify no more than one CIDR for each IP family');
  }
}

/** (ValidateNodeUpdate) */
export function validateNodeUpdate(node: Node, old: Node, field: Field): void {
  const spec = field.child('spec');
  if (old.spec?.podCIDRs?.length && !semanticDeepEqual(node.spec?.podCIDRs, old.spec.podCIDRs)) {
    spec.child('podCIDRs').forbidden('node updates may not change podCIDR except from "" to valid');
  }
  if (old.spec?.providerID && node.spec?.providerID !== old.spec.providerID) {
    spec.child('providerID').forbidden('node updates may not change providerID except from "" to valid');
  }
}

/** (pkg/registry/core/node/strategy.go) */
export const nodeWarnings = warningsOnWrite(({ spec }: Node) => {
  const warnings: string[] = [];
  if (spec?.configSource) warnings.push('spec.configSource: the feature is removed');
  if (spec?.externalID) {
    warnings.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
  for (const [index, cidr] of (spec?.podCIDRs ?? []).entries()) {
    addCIDRWarnings(`spec.podCIDRs[${index}]`, cidr, warnings);
  }
  return warnings;
});

export function nodeStatus({ spec, status }: Node): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const text = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

const rolePrefix = 'node-role.kubernetes.io/';

export function nodeRoles({ metadata }: Node): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(metadata?.labels ?? {})) {
    if (label.startsWith(rolePrefix)) roles.add(label.slice(rolePrefix.length));
    else if (label === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

const addressOfType = ({ status }: Node, wanted: string): string =>
  status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';

export const nodeInternalIP = (node: Node): string => addressOfType(node, 'InternalIP');
export const nodeExternalIP = (node: Node): string => addressOfType(node, 'ExternalIP');
