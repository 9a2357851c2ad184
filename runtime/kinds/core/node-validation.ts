import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { cidrVersion, validateCIDR } from '../validation/ip.ts';
import { validateNodeSpecificAnnotations } from './node-annotations.ts';
import { validateNodeTaints } from './node-taints.ts';
import { validateResourceQuantityValue } from './resource-list.ts';

/** (pkg/apis/core/validation/validation.go) */

type Node = Unvalidated<core.Node>;

/** Errors of taints and of swap have the path of the metadata, as upstream. (ValidateNode) */
export function validateNode(node: Node, field: Field): void {
  const { metadata, spec, status } = node;
  const at = field.child('metadata');
  validateNodeSpecificAnnotations(metadata?.annotations, at.child('annotations'));
  validateNodeTaints(spec?.taints, at.child('taints'));
  validateNodeResources(node, field);
  const capacity = status?.nodeInfo?.swap?.capacity;
  if (capacity !== undefined && capacity <= 0) {
    at.child('nodeSwapStatus', 'capacity').invalid(capacity, 'must be greater than zero');
  }
  validatePodCIDRs(spec?.podCIDRs ?? [], field.child('spec', 'podCIDRs'));
}

function validatePodCIDRs(cidrs: readonly string[], field: Field): void {
  for (const [index, cidr] of cidrs.entries()) validateCIDR(cidr, field.index(index));
  if (cidrs.length < 2) return;
  const versions = cidrs.map(cidrVersion);
  const bad = versions.indexOf(0);
  if (bad >= 0) {
    const reason = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${cidrs[bad]})`;
    field.internalError(`invalid PodCIDRs. failed to check with dual stack with error:${reason}`);
  }
  const isDualStack = bad < 0 && versions.includes(4) && versions.includes(6);
  if (!isDualStack || cidrs.length > 2) {
    field.invalid(cidrs, 'may specify no more than one CIDR for each IP family');
  }
}

/** (ValidateNodeResources) */
function validateNodeResources({ status }: Node, field: Field): void {
  for (const list of ['capacity', 'allocatable'] as const) {
    for (const [name, amount] of Object.entries(status?.[list] ?? {})) {
      validateResourceQuantityValue(name, amount, field.child('status', list, name));
    }
  }
}

/** Rules in common with ValidateNode report their errors twice, as upstream. (ValidateNodeUpdate) */
export function validateNodeUpdate(node: Node, old: Node, field: Field): void {
  const { metadata, spec = {} } = node;
  validateNodeSpecificAnnotations(metadata?.annotations, field.child('metadata', 'annotations'));
  validateNodeResources(node, field);
  validateAddresses(node.status?.addresses ?? [], field.child('status', 'addresses'));
  const at = field.child('spec');
  const { podCIDRs, providerID = '', externalID = '' } = old.spec ?? {};
  validatePodCIDRsUnchanged(spec.podCIDRs ?? [], podCIDRs ?? [], at.child('podCIDRs'));
  if (providerID !== '' && (spec.providerID ?? '') !== providerID) {
    at.child('providerID').forbidden('node updates may not change providerID except from "" to valid');
  }
  validateNodeTaints(spec.taints, field.child('metadata', 'taints'));
  if ((spec.externalID ?? '') !== externalID) at.child('externalID').forbidden('may not be updated');
}

/** Reports one error for each changed CIDR. */
function validatePodCIDRsUnchanged(cidrs: readonly string[], old: readonly string[], field: Field): void {
  const changes = cidrs.length === old.length ? old.filter((cidr, index) => cidrs[index] !== cidr) : [''];
  if (old.length === 0) return;
  for (const _ of changes) field.forbidden('node updates may not change podCIDR except from "" to valid');
}

function validateAddresses(addresses: readonly Unvalidated<core.NodeAddress>[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, { type = '', address = '' }] of addresses.entries()) {
    const key = `${type} ${address}`;
    if (seen.has(key)) field.index(index).duplicate({ Type: type, Address: address });
    seen.add(key);
  }
}
