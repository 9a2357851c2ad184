import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { ipVersion } from '../../../machinery/validation/ip-formats.ts';
import { dnsLabel, dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import {
  immutableText,
  validateEnum,
  validateFormat,
  validatePortNum,
  validatePortNumOrName,
  validateRequiredEnum,
} from '../../validation/fields.ts';
import { validateEndpointIP, validateIP } from '../../validation/ip.ts';
import { validateLabels } from '../../validation/labels.ts';
import {
  isHeadlessService,
  validateServiceClusterIPsRelatedFields,
  validateUpgradeDowngradeClusterIPs,
  validateUpgradeDowngradeIPFamilies,
} from './cluster-ips-validation.ts';
import { validateAllocateNodePorts, validateLoadBalancerClassField, validateSourceRanges } from './load-balancer-validation.ts';

/** Services. (pkg/apis/core/validation/validation.go) */

type Service = Unvalidated<core.Service>;
type ServiceSpec = Unvalidated<core.ServiceSpec>;
type ServicePort = Unvalidated<core.ServicePort>;

/** (ExternallyAccessible) */
export const isExternallyAccessible = ({ type, externalIPs }: ServiceSpec): boolean =>
  type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && Boolean(externalIPs?.length));

/** (NeedsHealthCheck) */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** (ValidateServiceCreate) */
export function validateServiceCreate(service: Service, field: Field): void {
  validateService(service, undefined, field);
}

/** (ValidateServiceUpdate) */
export function validateServiceUpdate(service: Service, old: Service, field: Field): void {
  const { spec = {} } = service;
  const { spec: oldSpec = {} } = old;
  const at = field.child('spec');
  validateUpgradeDowngradeClusterIPs(spec, oldSpec, at);
  validateUpgradeDowngradeIPFamilies(spec, oldSpec, at);
  validateLoadBalancerClassField(spec, oldSpec, at);
  const port = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheck(oldSpec) && needsHealthCheck(spec) && port !== (oldSpec.healthCheckNodePort ?? 0)) {
    at.child('healthCheckNodePort').forbidden(immutableText);
  }
  validateService(service, old, field);
}

const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** (validateService) */
function validateService(service: Service, old: Service | undefined, field: Field): void {
  const { metadata, spec = {} } = service;
  const { [topologyHints]: hints, [topologyMode]: mode } = metadata?.annotations ?? {};
  if (hints !== undefined && mode !== undefined && mode !== hints) {
    const detail = `must match annotations[${topologyHints}] when both are specified`;
    field.child('metadata', 'annotations').key(topologyMode).invalid(mode, detail);
  }
  const at = field.child('spec');
  const isHeadless = isHeadlessService(spec);
  if (!spec.ports?.length && !isHeadless && spec.type !== 'ExternalName') at.child('ports').required();
  if (isHeadless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    at.child('clusterIPs').index(0).invalid('None', `may not be set to 'None' for ${spec.type} services`);
  }
  if (spec.type === 'ExternalName') validateExternalName(spec, at);
  validateServicePorts(spec.ports ?? [], at.child('ports'));
  validateLabels(spec.selector, at.child('selector'));
  validateRequiredEnum(spec.sessionAffinity, ['ClientIP', 'None'], at.child('sessionAffinity'));
  if (spec.sessionAffinity === 'ClientIP') validateClientIPAffinityConfig(spec, at);
  validateServiceClusterIPsRelatedFields(spec, old?.spec, at);
  validateExternalIPs(spec, old?.spec, at.child('externalIPs'));
  validateRequiredEnum(spec.type, types, at.child('type'));
  validateUniquePorts(spec, at.child('ports'));
  validateSourceRanges(service, old, field);
  validateAllocateNodePorts(spec, at);
  validateLoadBalancerClassField(spec, undefined, at);
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

/** (validateServicePort) */
function validateServicePorts(ports: readonly ServicePort[], field: Field): void {
  const names = new Set<string>();
  for (const [index, { name, port, protocol, targetPort, appProtocol }] of ports.entries()) {
    const at = field.index(index);
    if (name) {
      validateFormat(name, dnsLabel, at.child('name'));
      if (names.has(name)) at.child('name').duplicate(name);
      names.add(name);
    } else if (ports.length > 1) at.child('name').required();
    validatePortNum(port ?? 0, at.child('port'));
    validateRequiredEnum(protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'));
    validatePortNumOrName(targetPort, at.child('targetPort'));
    if (appProtocol !== undefined) validateFormat(appProtocol, qualifiedName, at.child('appProtocol'));
  }
}

/** Ports and node ports are unique for each protocol. */
function validateUniquePorts({ ports, type }: ServiceSpec, field: Field): void {
  if (!ports) return;
  for (const [index, { nodePort }] of ports.entries()) {
    if (type !== 'ClusterIP' || !nodePort) continue;
    field.index(index).child('nodePort').forbidden("may not be used when `type` is 'ClusterIP'");
  }
  const nodePorts = new Set<string>();
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    if (nodePorts.has(`${protocol} ${nodePort}`)) field.index(index).child('nodePort').duplicate(nodePort);
    nodePorts.add(`${protocol} ${nodePort}`);
  }
  const servicePorts = new Set<string>();
  for (const [index, { protocol, port }] of ports.entries()) {
    if (servicePorts.has(`${protocol} ${port}`)) {
      // upstream's error shows a ServicePort with only the compared fields
      const key = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
      field.index(index).duplicate(key);
    }
    servicePorts.add(`${protocol} ${port}`);
  }
}

/** (validateClientIPAffinityConfig, validateAffinityTimeout) */
function validateClientIPAffinityConfig({ sessionAffinityConfig: config }: ServiceSpec, field: Field): void {
  const seconds = config?.clientIP?.timeoutSeconds;
  const at = field.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (seconds === undefined) at.required('when session affinity type is ClientIP');
  else if (seconds <= 0 || seconds > 86400) {
    at.invalid(seconds, 'must be greater than 0 and less than 86400');
  }
}

/** Reports invalid addresses, even stored ones, and addresses that endpoints cannot have. */
function validateExternalIPs({ externalIPs }: ServiceSpec, old: ServiceSpec | undefined, field: Field): void {
  if (!externalIPs?.length) return;
  const existing = new Set(old?.externalIPs);
  for (const [index, ip] of externalIPs.entries()) {
    const at = field.index(index);
    if (ipVersion(ip) !== 0) validateEndpointIP(ip, at);
    else if (!existing.has(ip)) validateIP(ip, at);
    else at.invalid(ip, 'must be a valid IP address');
  }
}

const trafficDistributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** (validateServiceExternalTrafficPolicy, validateServiceInternalTrafficFieldsValue, validateServiceTrafficDistribution) */
function validateTrafficPolicies(spec: ServiceSpec, field: Field): void {
  const policy = field.child('externalTrafficPolicy');
  if (isExternallyAccessible(spec)) validateRequiredEnum(spec.externalTrafficPolicy, ['Cluster', 'Local'], policy);
  else if (spec.externalTrafficPolicy) {
    policy.invalid(spec.externalTrafficPolicy, 'may only be set for externally-accessible services');
  }
  const port = field.child('healthCheckNodePort');
  if (needsHealthCheck(spec)) {
    if (spec.healthCheckNodePort) validatePortNum(spec.healthCheckNodePort, port);
    else port.required();
  } else if (spec.healthCheckNodePort) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    port.invalid(spec.healthCheckNodePort, detail);
  }
  const { internalTrafficPolicy, trafficDistribution } = spec;
  if (internalTrafficPolicy !== undefined) {
    validateEnum(internalTrafficPolicy, ['Cluster', 'Local'], field.child('internalTrafficPolicy'));
  }
  if (trafficDistribution !== undefined) {
    validateEnum(trafficDistribution, trafficDistributions, field.child('trafficDistribution'));
  }
}
