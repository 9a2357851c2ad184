import type * as discovery from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { formatFirst } from '../printers.ts';
import { validateFormat, validateImmutableField, validatePortNum, validateRequiredEnum } from '../validation/fields.ts';
import { addIPWarnings } from '../validation/ip-warnings.ts';
import type { WarningStrategy } from '../warnings.ts';

/** (pkg/apis/discovery/validation, pkg/registry/discovery/endpointslice/strategy.go) */

type EndpointSlice = Unvalidated<discovery.EndpointSlice>;

export const endpointSlicePorts = ({ ports }: EndpointSlice): string =>
  formatFirst((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))) || '<unset>';
export const endpointSliceEndpoints = ({ endpoints }: EndpointSlice): string =>
  formatFirst((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])) || '<unset>';

/** Controllers that copy addresses from elsewhere, where they had their warnings. */
const slicePublishers: readonly (string | undefined)[] = [
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
];

export const endpointSliceWarnings: WarningStrategy<EndpointSlice> = {
  warningsOnCreate(slice) {
    const warnings = warningsForEndpointAddresses(slice);
    return slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated', ...warnings] : warnings;
  },
  warningsOnUpdate: warningsForEndpointAddresses,
};

function warningsForEndpointAddresses({ metadata, endpoints }: EndpointSlice): string[] {
  const warnings: string[] = [];
  if (slicePublishers.includes(metadata?.labels?.['endpointslice.kubernetes.io/managed-by'])) return warnings;
  for (const [index, { addresses }] of (endpoints ?? []).entries()) {
    for (const [addressIndex, address] of (addresses ?? []).entries()) {
      addIPWarnings(`endpoints[${index}].addresses[${addressIndex}]`, address, warnings);
    }
  }
  return warnings;
}

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;

/** (ValidateEndpointSlice) */
export function validateEndpointSlice({ addressType, endpoints, ports }: EndpointSlice, field: Field): void {
  validateRequiredEnum(addressType, ['FQDN', 'IPv4', 'IPv6'], field.child('addressType'));
  validateEndpoints(endpoints ?? [], field.child('endpoints'));
  validatePorts(ports ?? [], field.child('ports'));
}

function validateEndpoints(endpoints: readonly Unvalidated<discovery.Endpoint>[], field: Field): void {
  if (endpoints.length > maxEndpoints) field.tooMany(endpoints.length, maxEndpoints);
  for (const [index, { addresses, hostname }] of endpoints.entries()) {
    const at = field.index(index);
    const count = addresses?.length ?? 0;
    if (count === 0) at.child('addresses').required('must contain at least 1 address');
    else if (count > maxAddresses) at.child('addresses').tooMany(count, maxAddresses);
    if (hostname !== undefined) validateFormat(hostname, dnsLabel, at.child('hostname'));
  }
}

function validatePorts(ports: readonly Unvalidated<discovery.EndpointPort>[], field: Field): void {
  if (ports.length > maxPorts) field.tooMany(ports.length, maxPorts);
  const names = new Set<string>();
  for (const [index, { name = '', port, appProtocol }] of ports.entries()) {
    const at = field.index(index);
    if (name !== '') validateFormat(name, dnsLabel, at.child('name'));
    if (names.has(name)) at.child('name').duplicate(name);
    names.add(name);
    if (port) validatePortNum(port, at.child('port'));
    if (appProtocol !== undefined) validateFormat(appProtocol, qualifiedName, at.child('appProtocol'));
  }
}

export function validateEndpointSliceUpdate(slice: EndpointSlice, old: EndpointSlice, field: Field): void {
  validateImmutableField(slice.addressType, old.addressType, field.child('addressType'));
}
