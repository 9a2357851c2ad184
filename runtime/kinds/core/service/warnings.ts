import type { Service as GeneratedService, ServiceSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { defaultRules, type ReleaseRules } from '../../../machinery/validation/rule-changes.ts';
import { addCIDRWarnings, addIPWarnings } from '../../validation/ip-warnings.ts';
import type { WriteWarnings } from '../../warnings.ts';

type Service = Unvalidated<GeneratedService>;

const topologyAwareHintsAnnotation = 'service.kubernetes.io/topology-aware-hints';

/** (pkg/registry/core/service/strategy.go) */
export const serviceWarnings: WriteWarnings<Service> = {
  warningsOnCreate: warningsForService,
  warningsOnUpdate: (service, _old, rules) => warningsForService(service, rules),
  warningsOnStatusUpdate: ({ status }) => warningsForLoadBalancerStatus(status),
};

interface LoadBalancedStatus {
  readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] };
}

/** The status is that of a service or of an ingress. */
export function warningsForLoadBalancerStatus(status: LoadBalancedStatus | undefined): string[] {
  const warnings: string[] = [];
  for (const [index, { ip = '' }] of (status?.loadBalancer?.ingress ?? []).entries()) {
    addIPWarnings(`status.loadBalancer.ingress[${index}]`, ip, warnings);
  }
  return warnings;
}

/** (pkg/api/service/warnings.go, GetWarningsForService) */
function warningsForService({ metadata, spec = {} }: Service, { changes }: ReleaseRules = defaultRules): string[] {
  const warnings: string[] = [];
  if (Object.hasOwn(metadata?.annotations ?? {}, topologyAwareHintsAnnotation)) {
    const advice = 'is deprecated, please use service.kubernetes.io/topology-mode instead';
    warnings.push(`annotation ${topologyAwareHintsAnnotation} ${advice}`);
  }
  const { clusterIP = '', clusterIPs = [], externalIPs = [], loadBalancerIP = '', type } = spec;
  if (clusterIP !== '' && clusterIP !== 'None') addIPListWarnings(clusterIPs, 'spec.clusterIPs', warnings);
  if (type === 'ClusterIP' && clusterIP === 'None') addHeadlessWarnings(spec, warnings);
  addIPListWarnings(externalIPs, 'spec.externalIPs', warnings);
  addIPWarnings('spec.loadBalancerIP', loadBalancerIP, warnings);
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    addCIDRWarnings(`spec.loadBalancerSourceRanges[${index}]`, range, warnings);
  }
  if (type === 'ExternalName' && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== 'ExternalName' && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (changes.PreferCloseIsDeprecated && spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

function addHeadlessWarnings({ loadBalancerIP, externalIPs, sessionAffinity }: Unvalidated<ServiceSpec>, warnings: string[]): void {
  const ignored = 'is ignored for headless services';
  if (loadBalancerIP) warnings.push(`spec.loadBalancerIP ${ignored}`);
  if (externalIPs?.length) warnings.push(`spec.externalIPs ${ignored}`);
  if (sessionAffinity !== 'None') warnings.push(`spec.SessionAffinity ${ignored}`);
}

function addIPListWarnings(values: readonly string[], path: string, warnings: string[]): void {
  for (const [index, value] of values.entries()) addIPWarnings(`${path}[${index}]`, value, warnings);
}
