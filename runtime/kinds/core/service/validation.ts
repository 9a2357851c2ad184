import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import {
  uniqueNames,
  validateEnum,
  validateFormat,
  validatePortNum,
  validatePortNumOrName,
  validateRequiredEnum,
} from '../../validation/fields.ts';
import { ipVersion, validateCIDR, validateEndpointIP, validateIP } from '../../validation/ip.ts';
import { validateLabels } from '../../validation/labels.ts';

/** Services. (pkg/apis/core/validation) */

type Service = Unvalidated<core.Service>;
type ServiceSpec = Unvalidated<core.ServiceSpec>;

const isHeadless = ({ clusterIP, clusterIPs }: ServiceSpec): boolean =>
  clusterIP === 'None' || clusterIPs?.[0] === 'None';
/** (ExternallyAccessible) */
const isExternallyAccessible = ({ type, externalIPs }: ServiceSpec): boolean =>
  type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && Boolean(externalIPs?.length));

/** (NeedsHealthCheck) */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** (ValidateService) */
export function validateService(service: Service, field: Field): void {
  const spec = service.spec ?? {};
  const at = field.child('spec');
  const headless = isHeadless(spec);
  if (!spec.ports?.length && !headless && spec.type !== 'ExternalName') at.child('ports').required();
  if (headless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    at.child('clusterIPs').index(0).invalid('None', `may not be set to 'None' for ${spec.type} services`);
  }
  if (spec.type === 'ExternalName') validateExternalName(spec, at);
  validateServicePorts(spec, at.child('ports'));
  validateLabels(spec.selector, at.child('selector'));
  validateRequiredEnum(spec.sessionAffinity, ['ClientIP', 'None'], at.child('sessionAffinity'));
  if (spec.sessionAffinity === 'ClientIP') validateSessionAffinityTimeout(spec, at);
  if (spec.type !== 'ExternalName') validateServiceClusterIPsRelatedFields(spec, at);
  for (const [index, ip] of (spec.externalIPs ?? []).entries()) {
    const each = at.child('externalIPs').index(index);
    if (ipVersion(ip) === 0) validateIP(ip, each);
    else validateEndpointIP(ip, each);
  }
  validateLoadBalancer(service, field);
  validateTrafficPolicies(spec, at);
}

function validateExternalName(spec: ServiceSpec, field: Field): void {
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) {
    if (spec[name]?.length) field.child(name).forbidden('may not be set for ExternalName services');
  }
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') field.child('externalName').required();
  else validateFormat(name, dnsSubdomain, field.child('externalName'));
}

function validateServicePorts({ ports = [], type }: ServiceSpec, field: Field): void {
  const checkUnique = uniqueNames();
  for (const [index, port] of ports.entries()) {
    const at = field.index(index);
    if (!port.name && ports.length > 1) at.child('name').required();
    if (port.name) validateFormat(port.name, dnsLabel, at.child('name'));
    checkUnique(port.name, at.child('name'));
    validatePortNum(port.port ?? 0, at.child('port'));
    validateRequiredEnum(port.protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'));
    validatePortNumOrName(port.targetPort, at.child('targetPort'));
    if (port.appProtocol !== undefined) validateFormat(port.appProtocol, qualifiedName, at.child('appProtocol'));
  }
  const nodePorts = new Set<string>();
  const servicePorts = new Set<string>();
  for (const [index, { protocol, port, nodePort }] of ports.entries()) {
    const at = field.index(index);
    if (nodePort) {
      if (type === 'ClusterIP') {
        at.child('nodePort').forbidden("may not be used when `type` is 'ClusterIP'");
      }
      if (nodePorts.has(`${protocol} ${nodePort}`)) at.child('nodePort').duplicate(nodePort);
      nodePorts.add(`${protocol} ${nodePort}`);
    }
    if (servicePorts.has(`${protocol} ${port}`)) {
      // upstream's error shows a ServicePort with the fields that it compares
      const key = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
      at.duplicate(key);
    }
    servicePorts.add(`${protocol} ${port}`);
  }
}

/** (validateClientIPAffinityConfig) */
function validateSessionAffinityTimeout({ sessionAffinityConfig: config }: ServiceSpec, field: Field): void {
  const seconds = config?.clientIP?.timeoutSeconds;
  const at = field.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (seconds === undefined) at.required('when session affinity type is ClientIP');
  else if (seconds <= 0 || seconds > 86400) {
    at.invalid(seconds, 'must be greater than 0 and less than 86400');
  }
}

const families = ['IPv4', 'IPv6'];

/** (ValidateServiceClusterIPsRelatedFields) */
export function validateServiceClusterIPsRelatedFields(spec: ServiceSpec, field: Field): void {
  const { clusterIP = '', clusterIPs = [], ipFamilies = [] } = spec;
  const at = field.child('clusterIPs');
  if (clusterIP !== '' && clusterIPs.length > 0 && clusterIPs[0] !== clusterIP) {
    at.invalid(clusterIPs, 'first value must match `clusterIP`');
  }
  const seen = new Set<string>();
  for (const [index, family] of ipFamilies.entries()) {
    const each = field.child('ipFamilies').index(index);
    validateEnum(family, families, each);
    if (seen.has(family)) each.duplicate(family);
    seen.add(family);
  }
  const addresses = clusterIPs.length > 0 || clusterIP === '' ? clusterIPs : [clusterIP];
  const errorsBefore = field.errors.length;
  for (const [index, address] of addresses.entries()) {
    if (index > 0 || address !== 'None') validateIP(address, at.index(index));
    else if (addresses.length > 1) at.invalid(clusterIPs, "'None' must be the first and only value");
  }
  if (addresses.length > 2) at.invalid(clusterIPs, 'may only hold up to 2 values');
  if (field.errors.length > errorsBefore || isHeadless(spec)) return;
  const versions = addresses.map(ipVersion);
  if (versions.length === 2 && versions[0] === versions[1]) {
    at.invalid(clusterIPs, 'may specify no more than one IP for each IP family');
  }
  for (const [index, version] of versions.entries()) {
    const family = ipFamilies[index];
    if (family === undefined || family === `IPv${version}`) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    at.index(index).invalid(addresses[index], detail);
  }
}

const sourceRangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

function validateLoadBalancer({ metadata, spec = {} }: Service, field: Field): void {
  const isLoadBalancer = spec.type === 'LoadBalancer';
  const annotation = metadata?.annotations?.[sourceRangesAnnotation];
  if (spec.loadBalancerSourceRanges?.length) {
    const at = field.child('spec', 'LoadBalancerSourceRanges');
    if (!isLoadBalancer) at.forbidden(onlyForLoadBalancers);
    for (const [index, range] of spec.loadBalancerSourceRanges.entries()) {
      validateCIDR(range.trim(), at.index(index));
    }
  } else if (annotation !== undefined) {
    const at = field.child('metadata', 'annotations').key(sourceRangesAnnotation);
    if (!isLoadBalancer) at.forbidden(onlyForLoadBalancers);
    const ranges = annotation.trim() === '' ? [] : annotation.split(',');
    for (const range of ranges) validateCIDR(range.trim(), at);
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer) {
    field.child('spec', 'allocateLoadBalancerNodePorts').forbidden(onlyForLoadBalancers);
  }
  if (spec.loadBalancerClass !== undefined) {
    const at = field.child('spec', 'loadBalancerClass');
    if (isLoadBalancer) validateFormat(spec.loadBalancerClass, qualifiedName, at);
    else at.forbidden(onlyForLoadBalancers);
  }
}

const trafficDistributions = ['PreferClose', 'PreferSameNode', 'PreferSameZone'];

/** (validateServiceExternalTrafficPolicy, validateServiceTrafficDistribution) */
function validateTrafficPolicies(spec: ServiceSpec, field: Field): void {
  const policy = field.child('externalTrafficPolicy');
  if (isExternallyAccessible(spec)) validateRequiredEnum(spec.externalTrafficPolicy, ['Cluster', 'Local'], policy);
  else if (spec.externalTrafficPolicy) {
    policy.invalid(spec.externalTrafficPolicy, 'may only be set for externally-accessible services');
  }
  const port = field.child('healthCheckNodePort');
  if (needsHealthCheck(spec)) {
    if (spec.healthCheckNodePort) validatePortNum(spec.healthCheckNodePort, port);
  } else if (spec.healthCheckNodePort) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    port.invalid(spec.healthCheckNodePort, detail);
  }
  if (spec.trafficDistribution !== undefined && !trafficDistributions.includes(spec.trafficDistribution)) {
    field.child('trafficDistribution').notSupported(spec.trafficDistribution, trafficDistributions);
  }
}

/** (ValidateServiceUpdate) */
export function validateServiceUpdate(service: Service, old: Service, field: Field): void {
  const spec = service.spec ?? {};
  const oldSpec = old.spec ?? {};
  const at = field.child('spec');
  if (spec.type !== 'ExternalName' && oldSpec.type !== 'ExternalName') validateClusterIPsUnchanged(spec, oldSpec, at);
  if (needsHealthCheck(spec) && needsHealthCheck(oldSpec) && oldSpec.healthCheckNodePort) {
    if (spec.healthCheckNodePort && spec.healthCheckNodePort !== oldSpec.healthCheckNodePort) {
      at.child('healthCheckNodePort').forbidden('field is immutable');
    }
  }
  if (spec.type === 'LoadBalancer' && oldSpec.type === 'LoadBalancer') {
    if (spec.loadBalancerClass !== oldSpec.loadBalancerClass) {
      at.child('loadBalancerClass').invalid(spec.loadBalancerClass, 'may not change once set');
    }
  }
}

function validateClusterIPsUnchanged(spec: ServiceSpec, old: ServiceSpec, field: Field): void {
  if (isHeadless(spec) && isHeadless(old)) return;
  const { clusterIP, clusterIPs = [] } = spec;
  const { clusterIPs: oldIPs = [] } = old;
  const at = field.child('clusterIPs');
  if (clusterIPs.length > 0 && oldIPs.length > 0 && clusterIPs[0] !== oldIPs[0]) {
    at.index(0).invalid(clusterIPs, 'may not change once set');
  } else if (clusterIPs.length === 0 && clusterIP && oldIPs.length > 0 && clusterIP !== oldIPs[0]) {
    at.index(0).invalid([clusterIP], 'may not change once set');
  }
  if (clusterIPs.length === 2 && oldIPs.length === 2 && clusterIPs[1] !== oldIPs[1]) {
    at.index(1).invalid(clusterIPs, 'may not change once set');
  }
}
