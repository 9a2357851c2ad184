import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { formatLabelSelector } from '../printers.ts';
import { validatePortNum, validatePortNumOrName } from '../validation/fields.ts';
import { validateCIDR } from '../validation/ip.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

export const networkPolicySelector = (object: KubeObject): string => formatLabelSelector(object.spec?.podSelector);

/** (pkg/registry/networking/networkpolicy/strategy.go) */
export const networkPolicyWarnings: WarningStrategy = warningsOnWrite(({ spec }) => {
  const warnings: string[] = [];
  addPeerWarnings(spec?.ingress, 'ingress', 'from', warnings);
  addPeerWarnings(spec?.egress, 'egress', 'to', warnings);
  return warnings;
});

function addPeerWarnings(rules: Part, direction: string, field: string, warnings: string[]): void {
  for (const [index, rule] of (rules ?? []).entries()) {
    for (const [place, { ipBlock }] of (rule[field] ?? []).entries()) {
      if (!ipBlock) continue;
      const at = `spec.${direction}[${index}].${field}[${place}].ipBlock`;
      addCIDRWarnings(`${at}.cidr`, ipBlock.cidr ?? '', warnings);
      for (const [n, block] of (ipBlock.except ?? []).entries()) addCIDRWarnings(`${at}.except[${n}]`, block, warnings);
    }
  }
}

/** (SetDefaults_NetworkPolicy, pkg/apis/networking/v1/defaults.go) Ingress always, egress when there are rules for it. */
export function setPolicyTypes(spec: Part): void {
  if (spec.policyTypes?.length > 0) return;
  spec.policyTypes = spec.egress?.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

/** (ValidateNetworkPolicySpec) */
export function validateNetworkPolicy(policy: Part, field: Field): void {
  const spec = policy.spec ?? {};
  const at = field.child('spec');
  validateLabelSelector(spec.podSelector, at.child('podSelector'));
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of (spec[direction] ?? []).entries()) {
      const each = at.child(direction).index(index);
      for (const [place, port] of (rule.ports ?? []).entries()) {
        validateNetworkPolicyPort(port, each.child('ports').index(place));
      }
      for (const [place, peer] of (rule[peers] ?? []).entries()) {
        validateNetworkPolicyPeer(peer, each.child(peers).index(place));
      }
    }
  }
  if (spec.policyTypes?.length > 2) {
    at.child('policyTypes').invalid(spec.policyTypes, 'may not specify more than two policyTypes');
  }
}

function validateNetworkPolicyPort({ port, endPort }: Part, field: Field): void {
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

function validateNetworkPolicyPeer({ podSelector, namespaceSelector, ipBlock }: Part, field: Field): void {
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  validateLabelSelector(podSelector, field.child('podSelector'));
  validateLabelSelector(namespaceSelector, field.child('namespaceSelector'));
  if (ipBlock) {
    const at = field.child('ipBlock');
    if (!ipBlock.cidr) at.child('cidr').required();
    else validateCIDR(ipBlock.cidr, at.child('cidr'));
    for (const [index, range] of (ipBlock.except ?? []).entries()) {
      validateCIDR(range, at.child('except').index(index));
    }
    if (selects) field.forbidden('may not specify both ipBlock and another peer');
  } else if (!selects) field.required('must specify a peer');
}
