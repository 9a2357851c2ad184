import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { ipVersion } from '../../machinery/validation/ip-formats.ts';
import { dnsLabel, dnsSubdomain, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { formatFirst } from '../printers.ts';
import { validateFormat, validatePortNum, validateRequiredEnum } from '../validation/fields.ts';
import { validateEndpointIP, validateIP } from '../validation/ip.ts';
import { addIPWarnings } from '../validation/ip-warnings.ts';
import { validatedBy } from '../validation/validated-by.ts';
import { none, warningsOnWrite } from '../warnings.ts';

type Endpoints = Unvalidated<core.Endpoints>;

/** Stored subsets may stay. (ValidateEndpoints) */
function validateEndpointsUpdate(endpoints: Endpoints, old: Endpoints, field: Field): void {
  const errorsBefore = field.errors.length;
  validateEndpointSubsets(endpoints, field);
  if (field.errors.length > errorsBefore && equalPruned(endpoints.subsets, old.subsets)) {
    field.errors.length = errorsBefore;
  }
}

/** (validateEndpointSubsets) */
function validateEndpointSubsets(endpoints: Endpoints, field: Field): void {
  for (const [index, subset] of (endpoints.subsets ?? []).entries()) {
    const at = field.child('subsets').index(index);
    if (!subset.addresses?.length && !subset.notReadyAddresses?.length) {
      at.required('must specify `addresses` or `notReadyAddresses`');
    }
    for (const list of ['addresses', 'notReadyAddresses'] as const) {
      for (const [addressIndex, address] of (subset[list] ?? []).entries()) {
        validateEndpointAddress(address, at.child(list).index(addressIndex));
      }
    }
    const ports = subset.ports ?? [];
    for (const [portIndex, port] of ports.entries()) {
      validateEndpointPort(port, ports.length > 1, at.child('ports').index(portIndex));
    }
  }
}

/** (validateEndpointAddress) */
function validateEndpointAddress({ ip = '', hostname, nodeName }: Unvalidated<core.EndpointAddress>, field: Field): void {
  validateIP(ip, field.child('ip'));
  if (hostname) validateFormat(hostname, dnsLabel, field.child('hostname'));
  if (nodeName !== undefined) validateFormat(nodeName, dnsSubdomain, field.child('nodeName'));
  if (ipVersion(ip) === 0) field.child('ip').invalid(ip, 'must be a valid IP address');
  else validateEndpointIP(ip, field.child('ip'));
}

/** (validateEndpointPort) */
function validateEndpointPort(
  { name, port = 0, protocol, appProtocol }: Unvalidated<core.EndpointPort>,
  requireName: boolean,
  field: Field,
): void {
  if (name) validateFormat(name, dnsLabel, field.child('name'));
  else if (requireName) field.child('name').required();
  validatePortNum(port, field.child('port'));
  validateRequiredEnum(protocol, ['SCTP', 'TCP', 'UDP'], field.child('protocol'));
  if (appProtocol !== undefined) validateFormat(appProtocol, qualifiedName, field.child('appProtocol'));
}

/** (pkg/registry/core/endpoint/strategy.go) */
export const endpointsStrategy: RESTStrategy = validatedBy(validateEndpointSubsets, validateEndpointsUpdate);

/** (pkg/printers/internalversion/printers.go, formatEndpoints) */
export function endpointsText({ subsets }: Endpoints): string {
  if (!subsets?.length) return '<none>';
  return formatFirst(
    subsets.flatMap(({ addresses, ports }) =>
      !ports?.length
        ? (addresses ?? []).map(({ ip = '' }) => ip)
        : ports.flatMap(({ port = 0 }) => (addresses ?? []).map(({ ip = '' }) => joinHostPort(ip, port))),
    ),
  );
}

/** Endpoints of the endpoints controller get no warnings. (pkg/registry/core/endpoint/strategy.go) */
export const endpointsWarnings = warningsOnWrite(({ metadata, subsets }: Endpoints) => {
  if (metadata?.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return none;
  const warnings: string[] = [];
  for (const [index, subset] of (subsets ?? []).entries()) {
    for (const list of ['addresses', 'notReadyAddresses'] as const) {
      for (const [addressIndex, { ip = '' }] of (subset[list] ?? []).entries()) {
        addIPWarnings(`subsets[${index}].${list}[${addressIndex}].ip`, ip, warnings);
      }
    }
  }
  return warnings;
});
