import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { ipVersion } from '../../../machinery/validation/ip-formats.ts';
import { dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from '../../validation/fields.ts';
import { validateCIDR, validateIP } from '../../validation/ip.ts';

/** Load balancers of services. (pkg/apis/core/validation/validation.go) */

type Service = Unvalidated<core.Service>;
type ServiceSpec = Unvalidated<core.ServiceSpec>;

/** (AnnotationLoadBalancerSourceRangesKey) */
const sourceRangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

/** Stored ranges stay valid. Errors name the field in capitals, as upstream. (validateService) */
export function validateSourceRanges(service: Service, old: Service | undefined, field: Field): void {
  const isLoadBalancer = service.spec?.type === 'LoadBalancer';
  const ranges = service.spec?.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0) {
    const at = field.child('spec', 'LoadBalancerSourceRanges');
    if (!isLoadBalancer) at.forbidden(onlyForLoadBalancers);
    const existing = new Set(old?.spec?.loadBalancerSourceRanges?.map((range) => range.trim()));
    for (const [index, range] of ranges.entries()) {
      if (!existing.has(range.trim())) validateCIDR(range.trim(), at.index(index));
    }
    return;
  }
  const annotation = service.metadata?.annotations?.[sourceRangesAnnotation];
  if (annotation === undefined) return;
  const at = field.child('metadata', 'annotations').key(sourceRangesAnnotation);
  if (!isLoadBalancer) at.forbidden(onlyForLoadBalancers);
  if (old?.metadata?.annotations?.[sourceRangesAnnotation] === annotation || annotation.trim() === '') return;
  for (const range of annotation.split(',')) validateCIDR(range.trim(), at);
}

/** @param field of the spec */
export function validateAllocateNodePorts(spec: ServiceSpec, field: Field): void {
  if (spec.allocateLoadBalancerNodePorts === undefined || spec.type === 'LoadBalancer') return;
  field.child('allocateLoadBalancerNodePorts').forbidden(onlyForLoadBalancers);
}

/**
 * (validateLoadBalancerClassField)
 *
 * @param old undefined on creation, and in upstream's second call
 */
export function validateLoadBalancerClassField(spec: ServiceSpec, old: ServiceSpec | undefined, field: Field): void {
  const { loadBalancerClass } = spec;
  const at = field.child('loadBalancerClass');
  const isLoadBalancer = spec.type === 'LoadBalancer';
  if (old?.type === 'LoadBalancer' && isLoadBalancer && loadBalancerClass !== old.loadBalancerClass) {
    at.invalid(loadBalancerClass ?? null, 'may not change once set');
  }
  if (loadBalancerClass === undefined) return;
  if (isLoadBalancer) validateFormat(loadBalancerClass, qualifiedName, at);
  else at.forbidden(onlyForLoadBalancers);
}

const ipModes = ['Proxy', 'VIP'];

/** Stored addresses stay valid. (ValidateServiceStatusUpdate, ValidateLoadBalancerStatus) */
export function validateServiceStatusUpdate(service: Service, old: Service, field: Field): void {
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const at = field.child('status', 'loadBalancer', 'ingress');
  if (service.spec?.type !== 'LoadBalancer') {
    if (ingress.length > 0) at.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  const existing = new Set(old.status?.loadBalancer?.ingress?.map(({ ip }) => ip));
  for (const [index, { ip, ipMode, hostname }] of ingress.entries()) {
    const each = at.index(index);
    if (ip && !existing.has(ip)) validateIP(ip, each.child('ip'));
    if (ipMode === undefined) {
      if (ip) each.child('ipMode').required('must be specified when `ip` is set');
    } else if (!ip) each.child('ipMode').forbidden('may not be specified when `ip` is not set');
    else validateEnum(ipMode, ipModes, each.child('ipMode'));
    if (!hostname) continue;
    validateFormat(hostname, dnsSubdomain, each.child('hostname'));
    if (ipVersion(hostname) !== 0) each.child('hostname').invalid(hostname, 'must be a DNS name, not an IP address');
  }
}
