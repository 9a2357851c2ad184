import type { KubeObject, Part } from '../../machinery/object.ts';
import { forbidden, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { formatLabelSelector } from '../printers/labels.ts';
import { type Errors, validatePortNum, validatePortNumOrName } from '../validation/fields.ts';
import { validateCIDR } from '../validation/ip.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { always, type WarningRules } from '../warnings.ts';

export const networkPolicySelector = (object: KubeObject): string => formatLabelSelector(object.spec?.podSelector);

/** (pkg/registry/networking/networkpolicy/strategy.go) */
export const networkPolicyWarnings: WarningRules = always(({ spec }) => {
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
export function validateNetworkPolicy(policy: Part, path: FieldPath, errors: Errors): void {
  const spec = policy.spec ?? {};
  const at = path.child('spec');
  validateLabelSelector(spec.podSelector, at.child('podSelector'), errors);
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of (spec[direction] ?? []).entries()) {
      const each = at.child(direction).index(index);
      for (const [place, port] of (rule.ports ?? []).entries()) {
        validateNetworkPolicyPort(port, each.child('ports').index(place), errors);
      }
      for (const [place, peer] of (rule[peers] ?? []).entries()) {
        validateNetworkPolicyPeer(peer, each.child(peers).index(place), errors);
      }
    }
  }
  if (spec.policyTypes?.length > 2) {
    errors.push(invalid(at.child('policyTypes'), spec.policyTypes, 'may not specify more than two policyTypes'));
  }
}

function validateNetworkPolicyPort({ port, endPort }: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('endPort');
  if (port === undefined) {
    if (endPort !== undefined) errors.push(invalid(at, endPort, 'may not be specified when `port` is not specified'));
    return;
  }
  validatePortNumOrName(port, path.child('port'), errors);
  if (endPort === undefined) return;
  if (typeof port === 'string') {
    errors.push(invalid(at, endPort, 'may not be specified when `port` is non-numeric'));
    return;
  }
  if (endPort < port) errors.push(invalid(at, endPort, 'must be greater than or equal to `port`'));
  validatePortNum(endPort, at, errors);
}

function validateNetworkPolicyPeer(
  { podSelector, namespaceSelector, ipBlock }: Part,
  path: FieldPath,
  errors: Errors,
): void {
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  validateLabelSelector(podSelector, path.child('podSelector'), errors);
  validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), errors);
  if (ipBlock) {
    const at = path.child('ipBlock');
    if (!ipBlock.cidr) errors.push(required(at.child('cidr')));
    else validateCIDR(ipBlock.cidr, at.child('cidr'), errors);
    for (const [index, range] of (ipBlock.except ?? []).entries()) {
      validateCIDR(range, at.child('except').index(index), errors);
    }
    if (selects) errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
  } else if (!selects) errors.push(required(path, 'must specify a peer'));
}
