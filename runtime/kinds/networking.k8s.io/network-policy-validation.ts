import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { type Prefix, parsePrefixSloppy, prefixContains } from '../../machinery/scalars/netip.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { validateEnum, validatePortNum, validatePortNumOrName } from '../validation/fields.ts';
import { validateCIDR } from '../validation/ip.ts';
import { type LabelSelectorValidationOptions, validateLabelSelector } from '../validation/labels.ts';

/** (pkg/apis/networking/validation/validation.go) */

type NetworkPolicy = Unvalidated<networking.NetworkPolicy>;
type NetworkPolicyPeer = Unvalidated<networking.NetworkPolicyPeer>;

interface NetworkPolicyValidationOptions extends LabelSelectorValidationOptions {
  readonly allowCIDRsEvenIfInvalid?: ReadonlySet<string | undefined>;
}

const strict: NetworkPolicyValidationOptions = {};

export const validateNetworkPolicy = ({ spec = {} }: NetworkPolicy, field: Field): void =>
  validateNetworkPolicySpec(spec, field.child('spec'), strict);

/**
 * Validates twice, as upstream's strategy does, so an error may appear twice. (ValidationOptionsForNetworking,
 * ValidateNetworkPolicyUpdate)
 */
export function validateNetworkPolicyUpdate({ spec = {} }: NetworkPolicy, old: NetworkPolicy, field: Field): void {
  const at = field.child('spec');
  const found = Field.at(FieldPath.root, []);
  validateNetworkPolicySpec(spec, found.child('spec'), strict);
  if (found.errors.length === 0) return;
  const allowInvalidLabelValueInSelector = hasInvalidSelector(old);
  validateNetworkPolicySpec(spec, at, { allowInvalidLabelValueInSelector });
  const allowCIDRsEvenIfInvalid = new Set(storedCIDRs(old));
  validateNetworkPolicySpec(spec, at, { allowInvalidLabelValueInSelector, allowCIDRsEvenIfInvalid });
}

function hasInvalidSelector({ spec }: NetworkPolicy): boolean {
  const field = Field.at(FieldPath.root, []);
  validateLabelSelector(spec?.podSelector, field);
  return field.errors.length > 0;
}

function* storedCIDRs({ spec }: NetworkPolicy): Iterable<string | undefined> {
  for (const { from } of spec?.ingress ?? []) yield* cidrsOf(from);
  for (const { to } of spec?.egress ?? []) yield* cidrsOf(to);
}

function* cidrsOf(peers: readonly NetworkPolicyPeer[] | undefined): Iterable<string | undefined> {
  for (const { ipBlock } of peers ?? []) {
    if (!ipBlock) continue;
    yield ipBlock.cidr;
    yield* ipBlock.except ?? [];
  }
}

const policyTypes = ['Ingress', 'Egress'];

function validateNetworkPolicySpec(
  spec: Unvalidated<networking.NetworkPolicySpec>,
  field: Field,
  options: NetworkPolicyValidationOptions,
): void {
  validateLabelSelector(spec.podSelector, field.child('podSelector'), options);
  for (const [index, { ports, from }] of (spec.ingress ?? []).entries()) {
    const rule = field.child('ingress').index(index);
    validateNetworkPolicyPorts(ports ?? [], rule.child('ports'));
    validateNetworkPolicyPeers(from ?? [], rule.child('from'), options);
  }
  for (const [index, { ports, to }] of (spec.egress ?? []).entries()) {
    const rule = field.child('egress').index(index);
    validateNetworkPolicyPorts(ports ?? [], rule.child('ports'));
    validateNetworkPolicyPeers(to ?? [], rule.child('to'), options);
  }
  const types = spec.policyTypes ?? [];
  const at = field.child('policyTypes');
  if (types.length > policyTypes.length) at.invalid(types, 'may not specify more than two policyTypes');
  else for (const [index, type] of types.entries()) validateEnum(type, policyTypes, at.index(index));
}

function validateNetworkPolicyPorts(ports: readonly Unvalidated<networking.NetworkPolicyPort>[], field: Field): void {
  for (const [index, port] of ports.entries()) validateNetworkPolicyPort(port, field.index(index));
}

function validateNetworkPolicyPeers(peers: readonly NetworkPolicyPeer[], field: Field, options: NetworkPolicyValidationOptions): void {
  for (const [index, peer] of peers.entries()) validateNetworkPolicyPeer(peer, field.index(index), options);
}

const protocols = ['TCP', 'UDP', 'SCTP'];

/** The error of an endPort below `port` shows the value of `port`. */
function validateNetworkPolicyPort({ port, endPort, protocol }: Unvalidated<networking.NetworkPolicyPort>, field: Field): void {
  if (protocol !== undefined) validateEnum(protocol, protocols, field.child('protocol'));
  const at = field.child('endPort');
  if (port === undefined) {
    if (endPort !== undefined) at.invalid(endPort, 'may not be specified when `port` is not specified');
    return;
  }
  if (typeof port === 'string' && endPort !== undefined) {
    at.invalid(endPort, 'may not be specified when `port` is non-numeric');
  }
  validatePortNumOrName(port, field.child('port'));
  if (typeof port === 'string' || endPort === undefined) return;
  if (endPort < port) at.invalid(port, 'must be greater than or equal to `port`');
  validatePortNum(endPort, at);
}

function validateNetworkPolicyPeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  field: Field,
  options: NetworkPolicyValidationOptions,
): void {
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  validateLabelSelector(podSelector, field.child('podSelector'), options);
  validateLabelSelector(namespaceSelector, field.child('namespaceSelector'), options);
  if (ipBlock) {
    validateIPBlock(ipBlock, field.child('ipBlock'), options);
    if (selects) field.forbidden('may not specify both ipBlock and another peer');
  } else if (!selects) field.required('must specify a peer');
}

function validateIPBlock({ cidr, except }: Unvalidated<networking.IPBlock>, field: Field, options: NetworkPolicyValidationOptions): void {
  if (!cidr) {
    field.child('cidr').required();
    return;
  }
  const network = validateLegacyCIDR(cidr, field.child('cidr'), options);
  if (network === undefined) return;
  for (const [index, range] of (except ?? []).entries()) {
    const at = field.child('except').index(index);
    const excepted = validateLegacyCIDR(range, at, options);
    if (excepted === undefined) continue;
    if (network.length >= excepted.length || !prefixContains(network, excepted.address)) {
      at.invalid(range, 'must be a strict subset of `cidr`');
    }
  }
}

function validateLegacyCIDR(value: string, field: Field, { allowCIDRsEvenIfInvalid }: NetworkPolicyValidationOptions): Prefix | undefined {
  const prefix = parsePrefixSloppy(value);
  if (prefix === undefined && !allowCIDRsEvenIfInvalid?.has(value)) validateCIDR(value, field);
  return prefix;
}
