import type { KubeObject, Part } from '../../machinery/object.ts';
import { warnOfCIDR, warnOfIP } from './addresses.ts';
import { always, none, type WarningRules } from './rules.ts';
import { ofIngressPoints } from './services.ts';

/** (pkg/registry/core/endpoint/strategy.go) What the controller writes is right. */
export const endpoints: WarningRules = always(({ metadata, subsets }) => {
  if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return none;
  const warnings: string[] = [];
  for (const [index, subset] of (subsets ?? []).entries()) {
    for (const list of ['addresses', 'notReadyAddresses']) {
      for (const [place, { ip = '' }] of (subset[list] ?? []).entries()) {
        warnOfIP(`subsets[${index}].${list}[${place}].ip`, ip, warnings);
      }
    }
  }
  return warnings;
});

const sliceWriters: readonly (string | undefined)[] = [
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
];

/** (pkg/registry/discovery/endpointslice/strategy.go) */
export const endpointSlices: WarningRules = {
  onCreate(slice) {
    const warnings = ofSliceAddresses(slice);
    return slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated', ...warnings] : warnings;
  },
  onUpdate: ofSliceAddresses,
};

function ofSliceAddresses({ metadata, endpoints: all }: KubeObject): string[] {
  const warnings: string[] = [];
  if (sliceWriters.includes(metadata.labels?.['endpointslice.kubernetes.io/managed-by'])) return warnings;
  for (const [index, { addresses }] of (all ?? []).entries()) {
    for (const [place, address] of (addresses ?? []).entries()) {
      warnOfIP(`endpoints[${index}].addresses[${place}]`, address, warnings);
    }
  }
  return warnings;
}

const ingressClass = 'kubernetes.io/ingress.class';

/** (pkg/registry/networking/ingress/strategy.go) */
export const ingresses: WarningRules = {
  onCreate({ metadata, spec }) {
    const annotated = metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, ingressClass);
    if (!annotated || (spec?.ingressClassName ?? undefined) !== undefined) return none;
    return [`annotation "${ingressClass}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  onStatusUpdate: ({ status }) => ofIngressPoints(status),
};

/** (pkg/registry/networking/networkpolicy/strategy.go) */
export const networkPolicies: WarningRules = always(({ spec }) => {
  const warnings: string[] = [];
  warnOfPeers(spec?.ingress, 'ingress', 'from', warnings);
  warnOfPeers(spec?.egress, 'egress', 'to', warnings);
  return warnings;
});

function warnOfPeers(rules: Part, direction: string, field: string, warnings: string[]): void {
  for (const [index, rule] of (rules ?? []).entries()) {
    for (const [place, { ipBlock }] of (rule[field] ?? []).entries()) {
      if (!ipBlock) continue;
      const at = `spec.${direction}[${index}].${field}[${place}].ipBlock`;
      warnOfCIDR(`${at}.cidr`, ipBlock.cidr ?? '', warnings);
      for (const [n, block] of (ipBlock.except ?? []).entries()) warnOfCIDR(`${at}.except[${n}]`, block, warnings);
    }
  }
}
