import type { TypedLocalObjectReference } from '../../../generated/v1.35/core/v1/types.ts';
import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dns1035Label, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Format, portName, wildcardSubdomain } from '../../structural/formats.ts';
import { loadBalancerAddresses } from '../core/service/printer.ts';
import { warningsForLoadBalancerStatus } from '../core/service/warnings.ts';
import { maxPrintedItems } from '../printers.ts';
import { validateFormat, validatePortNum, validateRequiredFormat } from '../validation/fields.ts';
import { ipVersion } from '../validation/ip.ts';
import { none, type WarningStrategy } from '../warnings.ts';

/** (pkg/apis/networking/validation/validation.go, pkg/registry/networking/ingress/strategy.go) */

type Ingress = Unvalidated<networking.Ingress>;

/** The hosts of the rules, or `*`. Like upstream, `+ n more...` counts rules, even those without a host. (formatHosts) */
export function ingressHosts({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  let hasMore = false;
  for (const { host } of rules) {
    if (hosts.length === maxPrintedItems) hasMore = true;
    else if (host) hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return hasMore ? `${hosts.join(',')} + ${rules.length - maxPrintedItems} more...` : hosts.join(',');
}

export const ingressAddress = ({ status }: Ingress): string => loadBalancerAddresses(status).join(',');
export const ingressPorts = ({ spec }: Ingress): string => (spec?.tls?.length ? '80, 443' : '80');

const ingressClassAnnotation = 'kubernetes.io/ingress.class';

export const ingressWarnings: WarningStrategy<Ingress> = {
  warningsOnCreate({ metadata, spec }) {
    const isAnnotated = Object.hasOwn(metadata?.annotations ?? {}, ingressClassAnnotation);
    if (!isAnnotated || spec?.ingressClassName !== undefined) return none;
    return [`annotation "${ingressClassAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  warningsOnStatusUpdate: ({ status }) => warningsForLoadBalancerStatus(status),
};

const forbiddenInPath = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenAtEnd = ['/..', '/.'];

/** (ValidateIngressSpec) */
export function validateIngress({ spec = {} }: Ingress, field: Field): void {
  const at = field.child('spec');
  if (!spec.rules?.length && !spec.defaultBackend) {
    at.invalid(spec, 'either `defaultBackend` or `rules` must be specified');
  }
  if (spec.defaultBackend) validateIngressBackend(spec.defaultBackend, at.child('defaultBackend'));
  for (const [index, { host = '', http }] of (spec.rules ?? []).entries()) {
    const rule = at.child('rules').index(index);
    if (host !== '') validateIngressHost(host, rule.child('host'));
    if (http) validateHTTPIngressPaths(http.paths ?? [], rule.child('http', 'paths'));
  }
  for (const [index, { hosts = [] }] of (spec.tls ?? []).entries()) {
    const tls = at.child('tls').index(index);
    for (const [hostIndex, host] of hosts.entries()) {
      validateFormat(host, hostFormat(host), tls.child('hosts').index(hostIndex));
    }
  }
  if (spec.ingressClassName !== undefined) {
    validateFormat(spec.ingressClassName, dnsSubdomain, at.child('ingressClassName'));
  }
}

const hostFormat = (host: string): Format => (host.includes('*') ? wildcardSubdomain : dnsSubdomain);

function validateIngressHost(host: string, field: Field): void {
  if (ipVersion(host) !== 0) field.invalid(host, 'must be a DNS name, not an IP address');
  validateFormat(host, hostFormat(host), field);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validateHTTPIngressPaths(paths: readonly Unvalidated<networking.HTTPIngressPath>[], field: Field): void {
  if (paths.length === 0) field.required();
  for (const [index, { path = '', pathType, backend = {} }] of paths.entries()) {
    const at = field.index(index);
    if (pathType == null) at.child('pathType').required('pathType must be specified');
    else if (pathTypes.includes(pathType)) validateHTTPIngressPath(path, pathType, at.child('path'));
    validateIngressBackend(backend, at.child('backend'));
  }
}

function validateHTTPIngressPath(path: string, pathType: string, field: Field): void {
  if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) field.invalid(path, 'must be an absolute path');
    return;
  }
  if (!path.startsWith('/')) field.invalid(path, 'must be an absolute path');
  if (path === '') return;
  for (const sequence of forbiddenInPath) {
    if (path.includes(sequence)) field.invalid(path, `must not contain '${sequence}'`);
  }
  for (const suffix of forbiddenAtEnd) {
    if (path.endsWith(suffix)) field.invalid(path, `cannot end with '${suffix}'`);
  }
}

function validateIngressBackend({ service, resource }: Unvalidated<networking.IngressBackend>, field: Field): void {
  if (service && resource) field.invalid('', 'cannot set both resource and service backends');
  else if (resource) validateTypedLocalObjectReference(resource, field.child('resource'));
  else if (service) validateIngressServiceBackend(service, field);
  else field.invalid('', 'resource or service backend is required');
}

function validateIngressServiceBackend(service: Unvalidated<networking.IngressServiceBackend>, field: Field): void {
  const at = field.child('service');
  validateRequiredFormat(service.name, dns1035Label, at.child('name'));
  const { name, number } = service.port ?? {};
  if (name && number) field.invalid('', 'cannot set both port name & port number');
  else if (name) validateFormat(name, portName, at.child('port', 'name'));
  else if (number) validatePortNum(number, at.child('port', 'number'));
  else field.required('port name or number is required');
}

/** (validateIngressTypedLocalObjectReference) */
function validateTypedLocalObjectReference(
  { apiGroup, kind, name }: Unvalidated<TypedLocalObjectReference>,
  field: Field,
): void {
  if (apiGroup != null) validateFormat(apiGroup, dnsSubdomain, field.child('apiGroup'));
  if (!kind) field.child('kind').required('kind is required');
  if (!name) field.child('name').required('name is required');
}
