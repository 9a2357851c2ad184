import { duplicate, forbidden, invalid, required, tooMany } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import {
  checkCIDR,
  checkFormat,
  checkImmutable,
  checkLabelSelector,
  checkPort,
  checkPortOrName,
  checkRequiredEnum,
  type Errors,
  ipVersion,
} from './checks.ts';
import { dns1035Label, dnsLabel, dnsSubdomain, portName, qualifiedName, wildcardSubdomain } from './text-formats.ts';

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
  if (spec.defaultBackend) checkBackend(spec.defaultBackend, at.child('defaultBackend'), errors);
  for (const [index, { host = '', http }] of (spec.rules ?? []).entries()) {
    const each = at.child('rules').index(index);
    if (host !== '') checkHost(host, each.child('host'), errors);
    if (http) checkPaths(http.paths ?? [], each.child('http', 'paths'), errors);
  }
  for (const [index, { hosts = [] }] of (spec.tls ?? []).entries()) {
    for (const [place, host] of hosts.entries()) {
      const format = host.includes('*') ? wildcardSubdomain : dnsSubdomain;
      checkFormat(host, format, at.child('tls').index(index).child('hosts').index(place), errors);
    }
  }
  if (spec.ingressClassName !== undefined) {
    checkFormat(spec.ingressClassName, dnsSubdomain, at.child('ingressClassName'), errors);
  }
}

function checkHost(host: string, path: FieldPath, errors: Errors): void {
  if (ipVersion(host) !== 0) errors.push(invalid(path, host, 'must be a DNS name, not an IP address'));
  checkFormat(host, host.includes('*') ? wildcardSubdomain : dnsSubdomain, path, errors);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function checkPaths(paths: readonly Part[], path: FieldPath, errors: Errors): void {
  if (paths.length === 0) errors.push(required(path));
  for (const [index, { path: text = '', pathType, backend = {} }] of paths.entries()) {
    const at = path.index(index);
    if (pathType == null) errors.push(required(at.child('pathType'), 'pathType must be specified'));
    else if (pathTypes.includes(pathType)) checkHttpPath(text, pathType, at.child('path'), errors);
    checkBackend(backend, at.child('backend'), errors);
  }
}

function checkHttpPath(text: string, type: string, path: FieldPath, errors: Errors): void {
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

function checkBackend({ service, resource }: Part, path: FieldPath, errors: Errors): void {
  if (service && resource) errors.push(invalid(path, '', 'cannot set both resource and service backends'));
  else if (resource) checkReference(resource, path.child('resource'), errors);
  else if (service) {
    if (!service.name) errors.push(required(path.child('service', 'name')));
    else checkFormat(service.name, dns1035Label, path.child('service', 'name'), errors);
    const { name, number } = service.port ?? {};
    if (name && number) errors.push(invalid(path, '', 'cannot set both port name & port number'));
    else if (name) checkFormat(name, portName, path.child('service', 'port', 'name'), errors);
    else if (number) checkPort(number, path.child('service', 'port', 'number'), errors);
    else errors.push(required(path, 'port name or number is required'));
  } else errors.push(invalid(path, '', 'resource or service backend is required'));
}

function checkReference({ apiGroup, kind, name }: Part, path: FieldPath, errors: Errors): void {
  if (apiGroup != null) checkFormat(apiGroup, dnsSubdomain, path.child('apiGroup'), errors);
  if (!kind) errors.push(required(path.child('kind'), 'kind is required'));
  if (!name) errors.push(required(path.child('name'), 'name is required'));
}

const maxController = 250;

export function validateIngressClass(ingressClass: Part, path: FieldPath, errors: Errors): void {
  const controller = ingressClass.spec?.controller ?? '';
  const at = path.child('spec', 'controller');
  const [host = '', rest = ''] = controller.split(/\/(.*)/s);
  if (controller === '') errors.push(required(at));
  else if (host === '' || rest === '') {
    errors.push(invalid(at, controller, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  } else for (const message of dnsSubdomain(host)) errors.push(invalid(at, host, message));
  if (controller.length > maxController) {
    const detail = `may not be more than ${maxController} bytes`;
    errors.push({ type: 'FieldValueTooLong', field: at.toString(), badValue: controller, detail });
  }
}

export function updateIngressClass(ingressClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(ingressClass.spec?.controller, old.spec?.controller, path.child('spec', 'controller'), errors);
}

/** (ValidateNetworkPolicySpec) */
export function validateNetworkPolicy(policy: Part, path: FieldPath, errors: Errors): void {
  const spec = policy.spec ?? {};
  const at = path.child('spec');
  checkLabelSelector(spec.podSelector, at.child('podSelector'), errors);
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of (spec[direction] ?? []).entries()) {
      const each = at.child(direction).index(index);
      for (const [place, port] of (rule.ports ?? []).entries()) {
        checkPolicyPort(port, each.child('ports').index(place), errors);
      }
      for (const [place, peer] of (rule[peers] ?? []).entries()) {
        checkPeer(peer, each.child(peers).index(place), errors);
      }
    }
  }
  if (spec.policyTypes?.length > 2) {
    errors.push(invalid(at.child('policyTypes'), spec.policyTypes, 'may not specify more than two policyTypes'));
  }
}

function checkPolicyPort({ port, endPort }: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('endPort');
  if (port === undefined) {
    if (endPort !== undefined) errors.push(invalid(at, endPort, 'may not be specified when `port` is not specified'));
    return;
  }
  checkPortOrName(port, path.child('port'), errors);
  if (endPort === undefined) return;
  if (typeof port === 'string') {
    errors.push(invalid(at, endPort, 'may not be specified when `port` is non-numeric'));
    return;
  }
  if (endPort < port) errors.push(invalid(at, endPort, 'must be greater than or equal to `port`'));
  checkPort(endPort, at, errors);
}

function checkPeer({ podSelector, namespaceSelector, ipBlock }: Part, path: FieldPath, errors: Errors): void {
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  checkLabelSelector(podSelector, path.child('podSelector'), errors);
  checkLabelSelector(namespaceSelector, path.child('namespaceSelector'), errors);
  if (ipBlock) {
    const at = path.child('ipBlock');
    if (!ipBlock.cidr) errors.push(required(at.child('cidr')));
    else checkCIDR(ipBlock.cidr, at.child('cidr'), errors);
    for (const [index, range] of (ipBlock.except ?? []).entries()) {
      checkCIDR(range, at.child('except').index(index), errors);
    }
    if (selects) errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
  } else if (!selects) errors.push(required(path, 'must specify a peer'));
}

export function validateServiceCIDR(object: Part, path: FieldPath, errors: Errors): void {
  const cidrs: readonly string[] = object.spec?.cidrs ?? [];
  const at = path.child('spec', 'cidrs');
  if (cidrs.length === 0) errors.push(required(at, 'at least one CIDR required'));
  if (cidrs.length > 2) errors.push(invalid(at, cidrs, 'may only hold up to 2 values'));
  for (const [index, range] of cidrs.entries()) checkCIDR(range, at.index(index), errors);
}

export function validateIPAddress(address: Part, path: FieldPath, errors: Errors): void {
  const name = address.metadata?.name ?? '';
  if (ipVersion(name) === 0) {
    errors.push(
      invalid(path.child('metadata', 'name'), name, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
    );
  }
  const parent = address.spec?.parentRef;
  const at = path.child('spec', 'parentRef');
  if (!parent) {
    errors.push(required(at));
    return;
  }
  if (!parent.resource) errors.push(required(at.child('resource')));
  if (!parent.name) errors.push(required(at.child('name')));
}

export function updateIPAddress(address: Part, old: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('spec').child('parentRef');
  checkImmutable(address.spec?.parentRef, old.spec?.parentRef, at, errors);
}

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;

/** (pkg/apis/discovery/validation, ValidateEndpointSlice) */
export function validateEndpointSlice(slice: Part, path: FieldPath, errors: Errors): void {
  checkRequiredEnum(slice.addressType, ['FQDN', 'IPv4', 'IPv6'], path.child('addressType'), errors);
  const endpoints: readonly Part[] = slice.endpoints ?? [];
  const at = path.child('endpoints');
  if (endpoints.length > maxEndpoints) errors.push(tooMany(at, endpoints.length, maxEndpoints));
  for (const [index, { addresses: given, hostname }] of endpoints.entries()) {
    const each = at.index(index);
    const addresses: readonly string[] = given ?? [];
    if (addresses.length === 0) errors.push(required(each.child('addresses'), 'must contain at least 1 address'));
    else if (addresses.length > maxAddresses) {
      errors.push(tooMany(each.child('addresses'), addresses.length, maxAddresses));
    }
    if (hostname !== undefined) checkFormat(hostname, dnsLabel, each.child('hostname'), errors);
  }
  const ports: readonly Part[] = slice.ports ?? [];
  if (ports.length > maxPorts) errors.push(tooMany(path.child('ports'), ports.length, maxPorts));
  const names = new Set<string>();
  for (const [index, { name = '', port, appProtocol }] of ports.entries()) {
    const each = path.child('ports').index(index);
    if (name !== '') checkFormat(name, dnsLabel, each.child('name'), errors);
    if (names.has(name)) errors.push(duplicate(each.child('name'), name));
    names.add(name);
    if (port) checkPort(port, each.child('port'), errors);
    if (appProtocol !== undefined) checkFormat(appProtocol, qualifiedName, each.child('appProtocol'), errors);
  }
}

export function updateEndpointSlice(slice: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(slice.addressType, old.addressType, path.child('addressType'), errors);
}
