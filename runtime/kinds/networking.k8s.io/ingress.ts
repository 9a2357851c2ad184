import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dns1035Label, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { portName, wildcardSubdomain } from '../../structural/formats.ts';
import { balancerAddresses } from '../core/service/printer.ts';
import { warningsForLoadBalancerStatus } from '../core/service/warnings.ts';
import { shown } from '../printers/lists.ts';
import { type Errors, validateFormat, validatePortNum } from '../validation/fields.ts';
import { ipVersion } from '../validation/ip.ts';
import { none, type WarningRules } from '../warnings.ts';

/** Hosts of the rules, `*` for none; as upstream, what is left over is counted in rules. */
export function ingressHosts({ spec }: KubeObject): string {
  const rules: readonly Part[] = spec?.rules ?? [];
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === shown) more = true;
    else if (host) hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return more ? `${hosts.join(',')} + ${rules.length - shown} more...` : hosts.join(',');
}

export const ingressAddress = ({ status }: KubeObject): string => balancerAddresses(status).join(',');
export const ingressPorts = ({ spec }: KubeObject): string => (spec?.tls?.length > 0 ? '80, 443' : '80');

const ingressClassAnnotation = 'kubernetes.io/ingress.class';

/** (pkg/registry/networking/ingress/strategy.go) */
export const ingressWarnings: WarningRules = {
  onCreate({ metadata, spec }) {
    const annotated = metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, ingressClassAnnotation);
    if (!annotated || (spec?.ingressClassName ?? undefined) !== undefined) return none;
    return [`annotation "${ingressClassAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  onStatusUpdate: ({ status }) => warningsForLoadBalancerStatus(status),
};

/** Ingresses, network policies, service ranges, endpoint slices. (pkg/apis/networking, pkg/apis/discovery) */

const forbiddenInPath = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenAtEnd = ['/..', '/.'];

/** (ValidateIngressSpec) */
export function validateIngress(ingress: Part, path: FieldPath, errors: Errors): void {
  const spec = ingress.spec ?? {};
  const at = path.child('spec');
  if (!spec.rules?.length && !spec.defaultBackend) {
    errors.push(invalid(at, spec, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (spec.defaultBackend) validateIngressBackend(spec.defaultBackend, at.child('defaultBackend'), errors);
  for (const [index, { host = '', http }] of (spec.rules ?? []).entries()) {
    const each = at.child('rules').index(index);
    if (host !== '') validateIngressHost(host, each.child('host'), errors);
    if (http) validateHTTPIngressPaths(http.paths ?? [], each.child('http', 'paths'), errors);
  }
  for (const [index, { hosts = [] }] of (spec.tls ?? []).entries()) {
    for (const [place, host] of hosts.entries()) {
      const format = host.includes('*') ? wildcardSubdomain : dnsSubdomain;
      validateFormat(host, format, at.child('tls').index(index).child('hosts').index(place), errors);
    }
  }
  if (spec.ingressClassName !== undefined) {
    validateFormat(spec.ingressClassName, dnsSubdomain, at.child('ingressClassName'), errors);
  }
}

function validateIngressHost(host: string, path: FieldPath, errors: Errors): void {
  if (ipVersion(host) !== 0) errors.push(invalid(path, host, 'must be a DNS name, not an IP address'));
  validateFormat(host, host.includes('*') ? wildcardSubdomain : dnsSubdomain, path, errors);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validateHTTPIngressPaths(paths: readonly Part[], path: FieldPath, errors: Errors): void {
  if (paths.length === 0) errors.push(required(path));
  for (const [index, { path: text = '', pathType, backend = {} }] of paths.entries()) {
    const at = path.index(index);
    if (pathType == null) errors.push(required(at.child('pathType'), 'pathType must be specified'));
    else if (pathTypes.includes(pathType)) validateHTTPIngressPath(text, pathType, at.child('path'), errors);
    validateIngressBackend(backend, at.child('backend'), errors);
  }
}

function validateHTTPIngressPath(text: string, type: string, path: FieldPath, errors: Errors): void {
  if (type === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) errors.push(invalid(path, text, 'must be an absolute path'));
    return;
  }
  if (!text.startsWith('/')) errors.push(invalid(path, text, 'must be an absolute path'));
  if (text === '') return;
  for (const sequence of forbiddenInPath) {
    if (text.includes(sequence)) errors.push(invalid(path, text, `must not contain '${sequence}'`));
  }
  for (const suffix of forbiddenAtEnd) {
    if (text.endsWith(suffix)) errors.push(invalid(path, text, `cannot end with '${suffix}'`));
  }
}

function validateIngressBackend({ service, resource }: Part, path: FieldPath, errors: Errors): void {
  if (service && resource) errors.push(invalid(path, '', 'cannot set both resource and service backends'));
  else if (resource) validateTypedLocalObjectReference(resource, path.child('resource'), errors);
  else if (service) {
    if (!service.name) errors.push(required(path.child('service', 'name')));
    else validateFormat(service.name, dns1035Label, path.child('service', 'name'), errors);
    const { name, number } = service.port ?? {};
    if (name && number) errors.push(invalid(path, '', 'cannot set both port name & port number'));
    else if (name) validateFormat(name, portName, path.child('service', 'port', 'name'), errors);
    else if (number) validatePortNum(number, path.child('service', 'port', 'number'), errors);
    else errors.push(required(path, 'port name or number is required'));
  } else errors.push(invalid(path, '', 'resource or service backend is required'));
}

function validateTypedLocalObjectReference({ apiGroup, kind, name }: Part, path: FieldPath, errors: Errors): void {
  if (apiGroup != null) validateFormat(apiGroup, dnsSubdomain, path.child('apiGroup'), errors);
  if (!kind) errors.push(required(path.child('kind'), 'kind is required'));
  if (!name) errors.push(required(path.child('name'), 'name is required'));
}
