import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { formatLabelSelector } from '../printers.ts';
import { validatePortNum, validatePortNumOrName } from '../validation/fields.ts';
import { validateCIDR } from '../validation/ip.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

type NetworkPolicy = Unvalidated<networking.NetworkPolicy>;
type NetworkPolicySpec = Unvalidated<networking.NetworkPolicySpec>;
type NetworkPolicyPeer = Unvalidated<networking.NetworkPolicyPeer>;

export const networkPolicySelector = ({ spec }: NetworkPolicy): string => formatLabelSelector(spec?.podSelector);

/** (pkg/registry/networking/networkpolicy/strategy.go) */
export const networkPolicyWarnings: WarningStrategy<NetworkPolicy> = warningsOnWrite(({ spec }) => {
  const warnings: string[] = [];
  for (const [index, { from }] of (spec?.ingress ?? []).entries()) {
    addPeerWarnings(from, `spec.ingress[${index}].from`, warnings);
  }
  for (const [index, { to }] of (spec?.egress ?? []).entries()) {
    addPeerWarnings(to, `spec.egress[${index}].to`, warnings);
  }
  return warnings;
});

function addPeerWarnings(peers: readonly NetworkPolicyPeer[] | undefined, path: string, warnings: string[]): void {
  for (const [index, { ipBlock }] of (peers ?? []).entries()) {
    if (!ipBlock) continue;
    const at = `${path}[${index}].ipBlock`;
    addCIDRWarnings(`${at}.cidr`, ipBlock.cidr ?? '', warnings);
    for (const [n, block] of (ipBlock.except ?? []).entries()) addCIDRWarnings(`${at}.except[${n}]`, block, warnings);
  }
}

/** Policies always restrict ingress, and egress only if they have rules for it. (SetDefaults_NetworkPolicy) */
export function setNetworkPolicyDefaults(spec: NetworkPolicySpec): void {
  if (spec.policyTypes?.length) return;
  spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
}

/** (ValidateNetworkPolicySpec) */
export function validateNetworkPolicy({ spec = {} }: NetworkPolicy, field: Field): void {
  const at = field.child('spec');
  validateLabelSelector(spec.podSelector, at.child('podSelector'));
  for (const [index, { ports, from }] of (spec.ingress ?? []).entries()) {
    const rule = at.child('ingress').index(index);
    validateNetworkPolicyPorts(ports ?? [], rule.child('ports'));
    validateNetworkPolicyPeers(from ?? [], rule.child('from'));
  }
  for (const [index, { ports, to }] of (spec.egress ?? []).entries()) {
    const rule = at.child('egress').index(index);
    validateNetworkPolicyPorts(ports ?? [], rule.child('ports'));
    validateNetworkPolicyPeers(to ?? [], rule.child('to'));
  }
  if (spec.policyTypes && spec.policyTypes.length > 2) {
    at.child('policyTypes').invalid(spec.policyTypes, 'may not specify more than two policyTypes');
  }
}

function validateNetworkPolicyPorts(ports: readonly Unvalidated<networking.NetworkPolicyPort>[], field: Field): void {
  for (const [index, port] of ports.entries()) validateNetworkPolicyPort(port, field.index(index));
}

function validateNetworkPolicyPeers(peers: readonly NetworkPolicyPeer[], field: Field): void {
  for (const [index, peer] of peers.entries()) validateNetworkPolicyPeer(peer, field.index(index));
}

function validateNetworkPolicyPort({ port, endPort }: Unvalidated<networking.NetworkPolicyPort>, field: Field): void {
  const at = field.child('endPort');
  if (port === undefined) {
    if (endPort !== undefined) at.invalid(endPort, 'may not be specified when `port` is not specified');
    return;
  }
  validatePortNumOrName(port, field.child('port'));
  if (endPort === undefined) return;
  if (typeof port === 'string') {
    at.invalid(endPort, 'may not be specified when `port` is non-numeric');
    return;
  }
  if (endPort < port) at.invalid(endPort, 'must be greater than or equal to `port`');
  validatePortNum(endPort, at);
}

function validateNetworkPolicyPeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, field: Field): void {
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  validateLabelSelector(podSelector, field.child('podSelector'));
  validateLabelSelector(namespaceSelector, field.child('namespaceSelector'));
  if (ipBlock) {
    validateIPBlock(ipBlock, field.child('ipBlock'));
    if (selects) field.forbidden('may not specify both ipBlock and another peer');
  } else if (!selects) field.required('must specify a peer');
}

function validateIPBlock({ cidr, except }: Unvalidated<networking.IPBlock>, field: Field): void {
  if (!cidr) field.child('cidr').required();
  else validateCIDR(cidr, field.child('cidr'));
  for (const [index, range] of (except ?? []).entries()) validateCIDR(range, field.child('except').index(index));
}
