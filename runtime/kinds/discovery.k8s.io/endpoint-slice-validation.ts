import type * as discovery from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import { parseAddressSloppy } from '../../machinery/scalars/netip.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { ipVersion } from '../../machinery/validation/ip-formats.ts';
import { dnsLabel, dnsSubdomain, labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { Format } from '../../structural/formats.ts';
import { validateEnum, validateFormat, validateImmutableEnum, validateRequiredEnum } from '../validation/fields.ts';
import { validateEndpointIP, validateIP, validateStrictIP } from '../validation/ip.ts';

/** (pkg/apis/discovery/validation/validation.go) */

type EndpointSlice = Unvalidated<discovery.EndpointSlice>;

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxZoneHints = 8;
const maxNodeHints = 8;

export function validateEndpointSlice(slice: EndpointSlice, field: Field): void {
  validateExceptEndpoints(slice, field);
  validateEndpoints(slice, field);
}

/** Unchanged endpoints may be invalid: older releases accepted more. */
export function validateEndpointSliceUpdate(slice: EndpointSlice, old: EndpointSlice, field: Field): void {
  validateExceptEndpoints(slice, field);
  const found = Field.at(FieldPath.root, []);
  validateEndpoints(slice, found);
  if (found.errors.length > 0 && !equalPruned(old.endpoints, slice.endpoints)) field.errors.push(...found.errors);
  validateImmutableEnum(slice.addressType, old.addressType, field.child('addressType'));
}

function validateExceptEndpoints({ addressType, ports }: EndpointSlice, field: Field): void {
  validateRequiredEnum(addressType, addressTypes, field.child('addressType'));
  validatePorts(ports ?? [], field.child('ports'));
}

function validateEndpoints(slice: EndpointSlice, root: Field): void {
  const endpoints = slice.endpoints ?? [];
  const field = root.child('endpoints');
  if (endpoints.length > maxEndpoints) {
    field.tooMany(endpoints.length, maxEndpoints);
    return;
  }
  for (const [index, endpoint] of endpoints.entries()) {
    const { nodeName, hostname, hints } = endpoint;
    const addresses = endpoint.addresses ?? [];
    const at = field.index(index);
    const addressesAt = at.child('addresses');
    if (addresses.length === 0) addressesAt.required('must contain at least 1 address');
    else if (addresses.length > maxAddresses) addressesAt.tooMany(addresses.length, maxAddresses);
    for (const [n, address] of addresses.entries()) validateAddress(address, slice.addressType, n, addressesAt);
    if (nodeName !== undefined) validateFormat(nodeName, dnsSubdomain, at.child('nodeName'));
    if (hostname !== undefined) validateFormat(hostname, dnsLabel, at.child('hostname'));
    if (hints) validateHints(hints, at.child('hints'));
  }
}

/** Reports an address of the wrong family as an error of the list. */
function validateAddress(address: string, addressType: string | undefined, index: number, list: Field): void {
  const field = list.index(index);
  if (addressType === 'FQDN') validateFullyQualifiedDomainName(address, field);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return;
  const before = field.errors.length;
  if (addressType === 'IPv6') validateStrictIP(address, field);
  else if (ipVersion(address) === 0) validateIP(address, field);
  if (field.errors.length > before) return;
  if (parseAddressSloppy(address)?.version !== (addressType === 'IPv4' ? 4 : 6)) {
    list.invalid(address, `must be an ${addressType} address`);
  }
  validateEndpointIP(address, field);
}

/** (apimachinery pkg/util/validation, IsFullyQualifiedDomainName) */
function validateFullyQualifiedDomainName(value: string, field: Field): void {
  if (value === '') {
    field.required();
    return;
  }
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  const messages = dnsSubdomain(name);
  if (messages.length > 0) {
    field.invalid(name, messages.join(','));
    return;
  }
  const labels = name.split('.');
  if (labels.length < 2) {
    field.invalid(name, 'should be a domain with at least two segments separated by dots');
    return;
  }
  const wrong = labels.find((label) => dnsLabel(label).length > 0);
  if (wrong !== undefined) field.invalid(wrong, dnsLabel(wrong).join(','));
}

function validatePorts(ports: readonly Unvalidated<discovery.EndpointPort>[], field: Field): void {
  if (ports.length > maxPorts) {
    field.tooMany(ports.length, maxPorts);
    return;
  }
  const names = new Set<string>();
  for (const [index, { name = '', protocol, appProtocol }] of ports.entries()) {
    const at = field.index(index);
    if (name !== '') validateFormat(name, dnsLabel, at.child('name'));
    if (names.has(name)) at.child('name').duplicate(name);
    names.add(name);
    validateEnum(protocol ?? '', protocols, at.child('protocol'));
    if (appProtocol !== undefined) validateFormat(appProtocol, qualifiedName, at.child('appProtocol'));
  }
}

/** With too many zones, errors of the nodes are not reported. */
function validateHints(hints: Unvalidated<discovery.EndpointHints>, field: Field): void {
  const forZones = hints.forZones ?? [];
  const forNodes = hints.forNodes ?? [];
  const zones = field.child('forZones');
  if (forZones.length > maxZoneHints) {
    zones.tooMany(forZones.length, maxZoneHints);
    return;
  }
  validateHintNames(forZones, labelValue, zones);
  const nodes = field.child('forNodes');
  if (forNodes.length > maxNodeHints) nodes.tooMany(forNodes.length, maxNodeHints);
  else validateHintNames(forNodes, dnsSubdomain, nodes);
}

function validateHintNames(hints: readonly { readonly name?: string }[], format: Format, field: Field): void {
  const names = new Set<string>();
  for (const [index, { name = '' }] of hints.entries()) {
    const at = field.index(index).child('name');
    if (names.has(name)) at.duplicate(name);
    names.add(name);
    validateFormat(name, format, at);
  }
}
