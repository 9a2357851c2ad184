import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { formatLabelSelector } from '../printers.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { type WriteWarnings, warningsOnWrite } from '../warnings.ts';
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './network-policy-validation.ts';

type NetworkPolicy = Unvalidated<networking.NetworkPolicy>;
type NetworkPolicySpec = Unvalidated<networking.NetworkPolicySpec>;
type NetworkPolicyPeer = Unvalidated<networking.NetworkPolicyPeer>;

export const networkPolicySelector = ({ spec }: NetworkPolicy): string => formatLabelSelector(spec?.podSelector);

/** (pkg/registry/networking/networkpolicy/strategy.go) */
export const networkPolicyWarnings: WriteWarnings<NetworkPolicy> = warningsOnWrite(({ spec }) => {
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

/** On update, upstream validates twice. The second time, it accepts stored networks. */
export const networkPolicyStrategy: RESTStrategy = {
  validateCreate: (policy: NetworkPolicy, errors) => validateNetworkPolicy(policy, Field.at(FieldPath.root, errors)),
  validateUpdate: (policy: NetworkPolicy, old: NetworkPolicy, errors) =>
    validateNetworkPolicyUpdate(policy, old, Field.at(FieldPath.root, errors)),
};
