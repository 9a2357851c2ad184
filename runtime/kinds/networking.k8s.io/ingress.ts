import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dns1035Label, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { portName, wildcardSubdomain } from '../../structural/formats.ts';
import { loadBalancerAddresses } from '../core/service/printer.ts';
import { warningsForLoadBalancerStatus } from '../core/service/warnings.ts';
import { maxPrintedItems } from '../printers.ts';
import { validateFormat, validatePortNum } from '../validation/fields.ts';
import { ipVersion } from '../validation/ip.ts';
import { none, type WarningStrategy } from '../warnings.ts';

/** Hosts of the rules, `*` for none; as upstream, what is left over is counted in rules. */
export function ingressHosts({ spec }: KubeObject): string {
  const rules: readonly Part[] = spec?.rules ?? [];
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === maxPrintedItems) more = true;
    else if (host) hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return more ? `${hosts.join(',')} + ${rules.length - maxPrintedItems} more...` : hosts.join(',');
}

export const ingressAddress = ({ status }: KubeObject): string => loadBalancerAddresses(status).join(',');
export const ingressPorts = ({ spec }: KubeObject): string => (spec?.tls?.length > 0 ? '80, 443' : '80');

const ingressClassAnnotation = 'kubernetes.io/ingress.class';

/** (pkg/registry/networking/ingress/strategy.go) */
export const ingressWarnings: WarningStrategy = {
  warningsOnCreate({ metadata, spec }) {
    const annotated = metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, ingressClassAnnotation);
    if (!annotated || (spec?.ingressClassName ?? undefined) !== undefined) return none;
    return [`annotation "${ingressClassAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  warningsOnStatusUpdate: ({ status }) => warningsForLoadBalancerStatus(status),
};

/** Ingresses, network policies, service ranges, endpoint slices. (pkg/apis/networking, pkg/apis/discovery) */

const forbiddenInPath = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenAtEnd = ['/..', '/.'];

/** (ValidateIngressSpec) */
export function validateIngress(ingress: Part, field: Field): void {
  const spec = ingress.spec ?? {};
  const at = field.child('spec');
  if (!spec.rules?.length && !spec.defaultBackend) {
    at.invalid(spec, 'either `defaultBackend` or `rules` must be specified');
  }
  if (spec.defaultBackend) validateIngressBackend(spec.defaultBackend, at.child('defaultBackend'));
  for (const [index, { host = '', http }] of (spec.rules ?? []).entries()) {
    const each = at.child('rules').index(index);
    if (host !== '') validateIngressHost(host, each.child('host'));
    if (http) validateHTTPIngressPaths(http.paths ?? [], each.child('http', 'paths'));
  }
  for (const [index, { hosts = [] }] of (spec.tls ?? []).entries()) {
    for (const [place, host] of hosts.entries()) {
      const format = host.includes('*') ? wildcardSubdomain : dnsSubdomain;
      validateFormat(host, format, at.child('tls').index(index).child('hosts').index(place));
    }
  }
  if (spec.ingressClassName !== undefined) {
    validateFormat(spec.ingressClassName, dnsSubdomain, at.child('ingressClassName'));
  }
}

function validateIngressHost(host: string, field: Field): void {
  if (ipVersion(host) !== 0) field.invalid(host, 'must be a DNS name, not an IP address');
  validateFormat(host, host.includes('*') ? wildcardSubdomain : dnsSubdomain, field);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validateHTTPIngressPaths(paths: readonly Part[], field: Field): void {
  if (paths.length === 0) field.required();
  for (const [index, { path: text = '', pathType, backend = {} }] of paths.entries()) {
    const at = field.index(index);
    if (pathType == null) at.child('pathType').required('pathType must be specified');
    else if (pathTypes.includes(pathType)) validateHTTPIngressPath(text, pathType, at.child('path'));
    validateIngressBackend(backend, at.child('backend'));
  }
}

function validateHTTPIngressPath(text: string, type: string, field: Field): void {
  if (type === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) field.invalid(text, 'must be an absolute path');
    return;
  }
  if (!text.startsWith('/')) field.invalid(text, 'must be an absolute path');
  if (text === '') return;
  for (const sequence of forbiddenInPath) {
    if (text.includes(sequence)) field.invalid(text, `must not contain '${sequence}'`);
  }
  for (const suffix of forbiddenAtEnd) {
    if (text.endsWith(suffix)) field.invalid(text, `cannot end with '${suffix}'`);
  }
}

function validateIngressBackend({ service, resource }: Part, field: Field): void {
  if (service && resource) field.invalid('', 'cannot set both resource and service backends');
  else if (resource) validateTypedLocalObjectReference(resource, field.child('resource'));
  else if (service) {
    if (!service.name) field.child('service', 'name').required();
    else validateFormat(service.name, dns1035Label, field.child('service', 'name'));
    const { name, number } = service.port ?? {};
    if (name && number) field.invalid('', 'cannot set both port name & port number');
    else if (name) validateFormat(name, portName, field.child('service', 'port', 'name'));
    else if (number) validatePortNum(number, field.child('service', 'port', 'number'));
    else field.required('port name or number is required');
  } else field.invalid('', 'resource or service backend is required');
}

function validateTypedLocalObjectReference({ apiGroup, kind, name }: Part, field: Field): void {
  if (apiGroup != null) validateFormat(apiGroup, dnsSubdomain, field.child('apiGroup'));
  if (!kind) field.child('kind').required('kind is required');
  if (!name) field.child('name').required('name is required');
}
