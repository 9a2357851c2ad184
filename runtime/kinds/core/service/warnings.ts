import type { KubeObject, Part } from '../../../machinery/object.ts';
import { addCIDRWarnings, addIPWarnings } from '../../validation/ip-warnings.ts';
import type { WarningStrategy } from '../../warnings.ts';

const hints = 'service.kubernetes.io/topology-aware-hints';

/** (pkg/api/service/warnings.go) */
export const serviceWarnings: WarningStrategy = {
  warningsOnCreate: warningsForService,
  warningsOnUpdate: warningsForService,
  warningsOnStatusUpdate: ({ status }) => warningsForLoadBalancerStatus(status),
};

/** Of the load balancers that a status names. */
export function warningsForLoadBalancerStatus(status: Part): string[] {
  const warnings: string[] = [];
  for (const [index, { ip = '' }] of (status?.loadBalancer?.ingress ?? []).entries()) {
    addIPWarnings(`status.loadBalancer.ingress[${index}]`, ip, warnings);
  }
  return warnings;
}

function warningsForService({ metadata, spec = {} }: KubeObject): string[] {
  const warnings: string[] = [];
  if (metadata.annotations && Object.hasOwn(metadata.annotations, hints)) {
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
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
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

function addHeadlessWarnings({ loadBalancerIP, externalIPs, sessionAffinity }: Part, warnings: string[]): void {
  const ignored = 'is ignored for headless services';
  if (loadBalancerIP) warnings.push(`spec.loadBalancerIP ${ignored}`);
  if (externalIPs?.length > 0) warnings.push(`spec.externalIPs ${ignored}`);
  if (sessionAffinity !== 'None') warnings.push(`spec.SessionAffinity ${ignored}`);
}

function addIPListWarnings(values: readonly string[], path: string, warnings: string[]): void {
  for (const [index, value] of values.entries()) addIPWarnings(`${path}[${index}]`, value, warnings);
}
