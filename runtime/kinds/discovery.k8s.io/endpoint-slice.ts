import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { formatFirst } from '../printers.ts';
import { validateFormat, validateImmutableField, validatePortNum, validateRequiredEnum } from '../validation/fields.ts';
import { addIPWarnings } from '../validation/ip-warnings.ts';
import type { WarningStrategy } from '../warnings.ts';

export const endpointSlicePorts = ({ ports }: KubeObject): string =>
  formatFirst((ports ?? []).map(({ port, name }: Part) => String(port ?? name ?? '*'))) || '<unset>';
export const endpointSliceEndpoints = ({ endpoints }: KubeObject): string =>
  formatFirst((endpoints ?? []).flatMap(({ addresses }: Part) => addresses ?? [])) || '<unset>';

const sliceWriters: readonly (string | undefined)[] = [
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
];

/** (pkg/registry/discovery/endpointslice/strategy.go) */
export const endpointSliceWarnings: WarningStrategy = {
  warningsOnCreate(slice) {
    const warnings = warningsForEndpointAddresses(slice);
    return slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated', ...warnings] : warnings;
  },
  warningsOnUpdate: warningsForEndpointAddresses,
};

function warningsForEndpointAddresses({ metadata, endpoints: all }: KubeObject): string[] {
  const warnings: string[] = [];
  if (sliceWriters.includes(metadata.labels?.['endpointslice.kubernetes.io/managed-by'])) return warnings;
  for (const [index, { addresses }] of (all ?? []).entries()) {
    for (const [place, address] of (addresses ?? []).entries()) {
      addIPWarnings(`endpoints[${index}].addresses[${place}]`, address, warnings);
    }
  }
  return warnings;
}

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;

/** (pkg/apis/discovery/validation, ValidateEndpointSlice) */
export function validateEndpointSlice(slice: Part, field: Field): void {
  validateRequiredEnum(slice.addressType, ['FQDN', 'IPv4', 'IPv6'], field.child('addressType'));
  const endpoints: readonly Part[] = slice.endpoints ?? [];
  const at = field.child('endpoints');
  if (endpoints.length > maxEndpoints) at.tooMany(endpoints.length, maxEndpoints);
  for (const [index, { addresses: given, hostname }] of endpoints.entries()) {
    const each = at.index(index);
    const addresses: readonly string[] = given ?? [];
    if (addresses.length === 0) each.child('addresses').required('must contain at least 1 address');
    else if (addresses.length > maxAddresses) {
      each.child('addresses').tooMany(addresses.length, maxAddresses);
    }
    if (hostname !== undefined) validateFormat(hostname, dnsLabel, each.child('hostname'));
  }
  const ports: readonly Part[] = slice.ports ?? [];
  if (ports.length > maxPorts) field.child('ports').tooMany(ports.length, maxPorts);
  const names = new Set<string>();
  for (const [index, { name = '', port, appProtocol }] of ports.entries()) {
    const each = field.child('ports').index(index);
    if (name !== '') validateFormat(name, dnsLabel, each.child('name'));
    if (names.has(name)) each.child('name').duplicate(name);
    names.add(name);
    if (port) validatePortNum(port, each.child('port'));
    if (appProtocol !== undefined) validateFormat(appProtocol, qualifiedName, each.child('appProtocol'));
  }
}

export function validateEndpointSliceUpdate(slice: Part, old: Part, field: Field): void {
  validateImmutableField(slice.addressType, old.addressType, field.child('addressType'));
}
