import type { KubeObject, Part } from '../../machinery/object.ts';
import { warnOfCIDR, warnOfIP } from './addresses.ts';
import type { WarningRules } from './rules.ts';

const hints = 'service.kubernetes.io/topology-aware-hints';

/** (pkg/api/service/warnings.go) */
export const services: WarningRules = {
  onCreate: ofService,
  onUpdate: ofService,
  onStatusUpdate: ({ status }) => ofIngressPoints(status),
};

/** Of the load balancers that a status names. */
export function ofIngressPoints(status: Part): string[] {
  const warnings: string[] = [];
  for (const [index, { ip = '' }] of (status?.loadBalancer?.ingress ?? []).entries()) {
    warnOfIP(`status.loadBalancer.ingress[${index}]`, ip, warnings);
  }
  return warnings;
}

function ofService({ metadata, spec = {} }: KubeObject): string[] {
  const warnings: string[] = [];
  if (metadata.annotations && Object.hasOwn(metadata.annotations, hints)) {
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  const { clusterIP = '', clusterIPs = [], externalIPs = [], loadBalancerIP = '', type } = spec;
  if (clusterIP !== '' && clusterIP !== 'None') warnOfIPs(clusterIPs, 'spec.clusterIPs', warnings);
  if (type === 'ClusterIP' && clusterIP === 'None') warnOfHeadless(spec, warnings);
  warnOfIPs(externalIPs, 'spec.externalIPs', warnings);
  warnOfIP('spec.loadBalancerIP', loadBalancerIP, warnings);
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    warnOfCIDR(`spec.loadBalancerSourceRanges[${index}]`, range, warnings);
  }
  if (type === 'ExternalName' && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== 'ExternalName' && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

function warnOfHeadless({ loadBalancerIP, externalIPs, sessionAffinity }: Part, warnings: string[]): void {
  const ignored = 'is ignored for headless services';
  if (loadBalancerIP) warnings.push(`spec.loadBalancerIP ${ignored}`);
  if (externalIPs?.length > 0) warnings.push(`spec.externalIPs ${ignored}`);
  if (sessionAffinity !== 'None') warnings.push(`spec.SessionAffinity ${ignored}`);
}

function warnOfIPs(values: readonly string[], path: string, warnings: string[]): void {
  for (const [index, value] of values.entries()) warnOfIP(`${path}[${index}]`, value, warnings);
}
