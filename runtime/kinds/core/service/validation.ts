import type { Part } from '../../../machinery/object.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsLabel, dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import {
  type Errors,
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
export function validateService(service: Part, path: FieldPath, errors: Errors): void {
  const spec = service.spec ?? {};
  const at = path.child('spec');
  const headless = isHeadless(spec);
  if (!spec.ports?.length && !headless && spec.type !== 'ExternalName') errors.push(required(at.child('ports')));
  if (headless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    const detail = `may not be set to 'None' for ${spec.type} services`;
    errors.push(invalid(at.child('clusterIPs').index(0), 'None', detail));
  }
  if (spec.type === 'ExternalName') validateExternalName(spec, at, errors);
  validateServicePorts(spec, at.child('ports'), errors);
  validateLabels(spec.selector, at.child('selector'), errors);
  validateRequiredEnum(spec.sessionAffinity, ['ClientIP', 'None'], at.child('sessionAffinity'), errors);
  if (spec.sessionAffinity === 'ClientIP') validateSessionAffinityTimeout(spec, at, errors);
  if (spec.type !== 'ExternalName') validateServiceClusterIPsRelatedFields(spec, at, errors);
  for (const [index, ip] of (spec.externalIPs ?? []).entries()) {
    const each = at.child('externalIPs').index(index);
    if (ipVersion(ip) === 0) validateIP(ip, each, errors);
    else validateNonSpecialIP(ip, each, errors);
  }
  validateLoadBalancer(service, path, errors);
  validateTrafficPolicies(spec, at, errors);
}

function validateExternalName(spec: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    if (spec[name]?.length) errors.push(forbidden(path.child(name), 'may not be set for ExternalName services'));
  }
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required(path.child('externalName')));
  else validateFormat(name, dnsSubdomain, path.child('externalName'), errors);
}

function validateServicePorts({ ports = [], type }: Part, path: FieldPath, errors: Errors): void {
  const checkUnique = uniqueNames();
  for (const [index, port] of ports.entries()) {
    const at = path.index(index);
    if (!port.name && ports.length > 1) errors.push(required(at.child('name')));
    if (port.name) validateFormat(port.name, dnsLabel, at.child('name'), errors);
    checkUnique(port.name, at.child('name'), errors);
    validatePortNum(port.port ?? 0, at.child('port'), errors);
    validateRequiredEnum(port.protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'), errors);
    validatePortNumOrName(port.targetPort, at.child('targetPort'), errors);
    if (port.appProtocol !== undefined)
      validateFormat(port.appProtocol, qualifiedName, at.child('appProtocol'), errors);
  }
  const nodePorts = new Set<string>();
  const servicePorts = new Set<string>();
  for (const [index, { protocol, port, nodePort }] of ports.entries()) {
    const at = path.index(index);
    if (nodePort) {
      if (type === 'ClusterIP') {
        errors.push(forbidden(at.child('nodePort'), "may not be used when `type` is 'ClusterIP'"));
      }
      if (nodePorts.has(`${protocol} ${nodePort}`)) errors.push(duplicate(at.child('nodePort'), nodePort));
      nodePorts.add(`${protocol} ${nodePort}`);
    }
    if (servicePorts.has(`${protocol} ${port}`)) {
      // Upstream shows the key it compares by as a Go struct.
      const key = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
      errors.push(duplicate(at, key));
    }
    servicePorts.add(`${protocol} ${port}`);
  }
}

function validateSessionAffinityTimeout(
  { sessionAffinityConfig: config }: Part,
  path: FieldPath,
  errors: Errors,
): void {
  const seconds = config?.clientIP?.timeoutSeconds;
  const at = path.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (seconds === undefined) errors.push(required(at, 'when session affinity type is ClientIP'));
  else if (seconds <= 0 || seconds > 86400) {
    errors.push(invalid(at, seconds, 'must be greater than 0 and less than 86400'));
  }
}

const families = ['IPv4', 'IPv6'];

/** What addresses and families say of each other. (ValidateServiceClusterIPsRelatedFields) */
export function validateServiceClusterIPsRelatedFields(spec: Part, path: FieldPath, errors: Errors): void {
  const { clusterIP = '', clusterIPs = [], ipFamilies = [] } = spec;
  const at = path.child('clusterIPs');
  if (clusterIP !== '' && clusterIPs.length > 0 && clusterIPs[0] !== clusterIP) {
    errors.push(invalid(at, clusterIPs, 'first value must match `clusterIP`'));
  }
  const seen = new Set<string>();
  for (const [index, family] of ipFamilies.entries()) {
    const each = path.child('ipFamilies').index(index);
    validateEnum(family, families, each, errors);
    if (seen.has(family)) errors.push(duplicate(each, family));
    seen.add(family);
  }
  const addresses: readonly string[] = clusterIPs.length > 0 || clusterIP === '' ? clusterIPs : [clusterIP];
  const before = errors.length;
  for (const [index, address] of addresses.entries()) {
    if (index > 0 || address !== 'None') validateIP(address, at.index(index), errors);
    else if (addresses.length > 1) errors.push(invalid(at, clusterIPs, "'None' must be the first and only value"));
  }
  if (addresses.length > 2) errors.push(invalid(at, clusterIPs, 'may only hold up to 2 values'));
  if (errors.length > before || isHeadless(spec)) return;
  const versions = addresses.map(ipVersion);
  if (versions.length === 2 && versions[0] === versions[1]) {
    errors.push(invalid(at, clusterIPs, 'may specify no more than one IP for each IP family'));
  }
  for (const [index, version] of versions.entries()) {
    const family = ipFamilies[index];
    if (family === undefined || family === `IPv${version}`) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(at.index(index), addresses[index], detail));
  }
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const balancerOnly = "may only be used when `type` is 'LoadBalancer'";

function validateLoadBalancer(service: Part, path: FieldPath, errors: Errors): void {
  const spec = service.spec ?? {};
  const isBalancer = spec.type === 'LoadBalancer';
  const annotation = service.metadata?.annotations?.[rangesAnnotation];
  if (spec.loadBalancerSourceRanges?.length > 0) {
    const at = path.child('spec', 'LoadBalancerSourceRanges');
    if (!isBalancer) errors.push(forbidden(at, balancerOnly));
    for (const [index, range] of spec.loadBalancerSourceRanges.entries()) {
      validateCIDR(range.trim(), at.index(index), errors);
    }
  } else if (annotation !== undefined) {
    const at = path.child('metadata', 'annotations').key(rangesAnnotation);
    if (!isBalancer) errors.push(forbidden(at, balancerOnly));
    const ranges: string[] = annotation.trim() === '' ? [] : annotation.split(',');
    for (const range of ranges) validateCIDR(range.trim(), at, errors);
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isBalancer) {
    errors.push(forbidden(path.child('spec', 'allocateLoadBalancerNodePorts'), balancerOnly));
  }
  if (spec.loadBalancerClass !== undefined) {
    const at = path.child('spec', 'loadBalancerClass');
    if (isBalancer) validateFormat(spec.loadBalancerClass, qualifiedName, at, errors);
    else errors.push(forbidden(at, balancerOnly));
  }
}

const distributions = ['PreferClose', 'PreferSameNode', 'PreferSameZone'];

function validateTrafficPolicies(spec: Part, path: FieldPath, errors: Errors): void {
  const external = path.child('externalTrafficPolicy');
  if (isExternal(spec)) validateRequiredEnum(spec.externalTrafficPolicy, ['Cluster', 'Local'], external, errors);
  else if (spec.externalTrafficPolicy) {
    const detail = 'may only be set for externally-accessible services';
    errors.push(invalid(external, spec.externalTrafficPolicy, detail));
  }
  const port = path.child('healthCheckNodePort');
  if (needsHealthCheck(spec)) {
    if (spec.healthCheckNodePort) validatePortNum(spec.healthCheckNodePort, port, errors);
  } else if (spec.healthCheckNodePort) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid(port, spec.healthCheckNodePort, detail));
  }
  if (spec.trafficDistribution !== undefined && !distributions.includes(spec.trafficDistribution)) {
    errors.push(notSupported(path.child('trafficDistribution'), spec.trafficDistribution, distributions));
  }
}

/** (ValidateServiceUpdate) An address once given stays, unless a name takes its place. */
export function validateServiceUpdate(service: Part, old: Part, path: FieldPath, errors: Errors): void {
  const spec = service.spec ?? {};
  const before = old.spec ?? {};
  const at = path.child('spec');
  if (spec.type !== 'ExternalName' && before.type !== 'ExternalName')
    validateClusterIPsUnchanged(spec, before, at, errors);
  if (needsHealthCheck(spec) && needsHealthCheck(before) && before.healthCheckNodePort) {
    if (spec.healthCheckNodePort && spec.healthCheckNodePort !== before.healthCheckNodePort) {
      errors.push(forbidden(at.child('healthCheckNodePort'), 'field is immutable'));
    }
  }
  if (spec.type === 'LoadBalancer' && before.type === 'LoadBalancer') {
    if (spec.loadBalancerClass !== before.loadBalancerClass) {
      errors.push(invalid(at.child('loadBalancerClass'), spec.loadBalancerClass, 'may not change once set'));
    }
  }
}

function validateClusterIPsUnchanged(spec: Part, before: Part, path: FieldPath, errors: Errors): void {
  if (isHeadless(spec) && isHeadless(before)) return;
  const now: readonly string[] = spec.clusterIPs ?? [];
  const then: readonly string[] = before.clusterIPs ?? [];
  const first = path.child('clusterIPs').index(0);
  if (now.length > 0 && then.length > 0 && now[0] !== then[0]) {
    errors.push(invalid(first, now, 'may not change once set'));
  } else if (now.length === 0 && spec.clusterIP && then.length > 0 && spec.clusterIP !== then[0]) {
    errors.push(invalid(first, [spec.clusterIP], 'may not change once set'));
  }
  if (now.length === 2 && then.length === 2 && now[1] !== then[1]) {
    errors.push(invalid(path.child('clusterIPs').index(1), now, 'may not change once set'));
  }
}
