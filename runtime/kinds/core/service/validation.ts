import type { Part } from '../../../machinery/object.ts';
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
import { ipVersion, validateCIDR, validateIP, validateNonSpecialIP } from '../../validation/ip.ts';
import { validateLabels } from '../../validation/labels.ts';

const isHeadless = ({ clusterIP, clusterIPs }: Part): boolean => clusterIP === 'None' || clusterIPs?.[0] === 'None';
const isExternal = ({ type, externalIPs }: Part): boolean =>
  type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs?.length > 0);
const needsHealthCheck = ({ type, externalTrafficPolicy }: Part): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** (pkg/apis/core/validation, ValidateService) Cluster addresses are allocated later and judged as far as given. */
export function validateService(service: Part, field: Field): void {
  const spec = service.spec ?? {};
  const at = field.child('spec');
  const headless = isHeadless(spec);
  if (!spec.ports?.length && !headless && spec.type !== 'ExternalName') at.child('ports').required();
  if (headless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    const detail = `may not be set to 'None' for ${spec.type} services`;
    at.child('clusterIPs').index(0).invalid('None', detail);
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
    else validateNonSpecialIP(ip, each);
  }
  validateLoadBalancer(service, field);
  validateTrafficPolicies(spec, at);
}

function validateExternalName(spec: Part, field: Field): void {
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    if (spec[name]?.length) field.child(name).forbidden('may not be set for ExternalName services');
  }
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') field.child('externalName').required();
  else validateFormat(name, dnsSubdomain, field.child('externalName'));
}

function validateServicePorts({ ports = [], type }: Part, field: Field): void {
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
      // Upstream shows the key it compares by as a Go struct.
      const key = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
      at.duplicate(key);
    }
    servicePorts.add(`${protocol} ${port}`);
  }
}

function validateSessionAffinityTimeout({ sessionAffinityConfig: config }: Part, field: Field): void {
  const seconds = config?.clientIP?.timeoutSeconds;
  const at = field.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (seconds === undefined) at.required('when session affinity type is ClientIP');
  else if (seconds <= 0 || seconds > 86400) {
    at.invalid(seconds, 'must be greater than 0 and less than 86400');
  }
}

const families = ['IPv4', 'IPv6'];

/** What addresses and families say of each other. (ValidateServiceClusterIPsRelatedFields) */
export function validateServiceClusterIPsRelatedFields(spec: Part, field: Field): void {
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
  const addresses: readonly string[] = clusterIPs.length > 0 || clusterIP === '' ? clusterIPs : [clusterIP];
  const before = field.errors.length;
  for (const [index, address] of addresses.entries()) {
    if (index > 0 || address !== 'None') validateIP(address, at.index(index));
    else if (addresses.length > 1) at.invalid(clusterIPs, "'None' must be the first and only value");
  }
  if (addresses.length > 2) at.invalid(clusterIPs, 'may only hold up to 2 values');
  if (field.errors.length > before || isHeadless(spec)) return;
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

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const balancerOnly = "may only be used when `type` is 'LoadBalancer'";

function validateLoadBalancer(service: Part, field: Field): void {
  const spec = service.spec ?? {};
  const isBalancer = spec.type === 'LoadBalancer';
  const annotation = service.metadata?.annotations?.[rangesAnnotation];
  if (spec.loadBalancerSourceRanges?.length > 0) {
    const at = field.child('spec', 'LoadBalancerSourceRanges');
    if (!isBalancer) at.forbidden(balancerOnly);
    for (const [index, range] of spec.loadBalancerSourceRanges.entries()) {
      validateCIDR(range.trim(), at.index(index));
    }
  } else if (annotation !== undefined) {
    const at = field.child('metadata', 'annotations').key(rangesAnnotation);
    if (!isBalancer) at.forbidden(balancerOnly);
    const ranges: string[] = annotation.trim() === '' ? [] : annotation.split(',');
    for (const range of ranges) validateCIDR(range.trim(), at);
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isBalancer) {
    field.child('spec', 'allocateLoadBalancerNodePorts').forbidden(balancerOnly);
  }
  if (spec.loadBalancerClass !== undefined) {
    const at = field.child('spec', 'loadBalancerClass');
    if (isBalancer) validateFormat(spec.loadBalancerClass, qualifiedName, at);
    else at.forbidden(balancerOnly);
  }
}

const distributions = ['PreferClose', 'PreferSameNode', 'PreferSameZone'];

function validateTrafficPolicies(spec: Part, field: Field): void {
  const external = field.child('externalTrafficPolicy');
  if (isExternal(spec)) validateRequiredEnum(spec.externalTrafficPolicy, ['Cluster', 'Local'], external);
  else if (spec.externalTrafficPolicy) {
    const detail = 'may only be set for externally-accessible services';
    external.invalid(spec.externalTrafficPolicy, detail);
  }
  const port = field.child('healthCheckNodePort');
  if (needsHealthCheck(spec)) {
    if (spec.healthCheckNodePort) validatePortNum(spec.healthCheckNodePort, port);
  } else if (spec.healthCheckNodePort) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    port.invalid(spec.healthCheckNodePort, detail);
  }
  if (spec.trafficDistribution !== undefined && !distributions.includes(spec.trafficDistribution)) {
    field.child('trafficDistribution').notSupported(spec.trafficDistribution, distributions);
  }
}

/** (ValidateServiceUpdate) An address once given stays, unless a name takes its place. */
export function validateServiceUpdate(service: Part, old: Part, path: Field): void {
  const spec = service.spec ?? {};
  const before = old.spec ?? {};
  const at = path.child('spec');
  if (spec.type !== 'ExternalName' && before.type !== 'ExternalName') validateClusterIPsUnchanged(spec, before, at);
  if (needsHealthCheck(spec) && needsHealthCheck(before) && before.healthCheckNodePort) {
    if (spec.healthCheckNodePort && spec.healthCheckNodePort !== before.healthCheckNodePort) {
      at.child('healthCheckNodePort').forbidden('field is immutable');
    }
  }
  if (spec.type === 'LoadBalancer' && before.type === 'LoadBalancer') {
    if (spec.loadBalancerClass !== before.loadBalancerClass) {
      at.child('loadBalancerClass').invalid(spec.loadBalancerClass, 'may not change once set');
    }
  }
}

function validateClusterIPsUnchanged(spec: Part, before: Part, field: Field): void {
  if (isHeadless(spec) && isHeadless(before)) return;
  const now: readonly string[] = spec.clusterIPs ?? [];
  const then: readonly string[] = before.clusterIPs ?? [];
  const first = field.child('clusterIPs').index(0);
  if (now.length > 0 && then.length > 0 && now[0] !== then[0]) {
    first.invalid(now, 'may not change once set');
  } else if (now.length === 0 && spec.clusterIP && then.length > 0 && spec.clusterIP !== then[0]) {
    first.invalid([spec.clusterIP], 'may not change once set');
  }
  if (now.length === 2 && then.length === 2 && now[1] !== then[1]) {
    field.child('clusterIPs').index(1).invalid(now, 'may not change once set');
  }
}
