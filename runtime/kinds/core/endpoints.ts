import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { formatFirst } from '../printers.ts';
import { validateFormat, validatePortNum, validateRequiredEnum } from '../validation/fields.ts';
import { ipVersion, validateIP, validateNonSpecialIP } from '../validation/ip.ts';
import { addIPWarnings } from '../validation/ip-warnings.ts';
import { none, type WarningStrategy, warningsOnWrite } from '../warnings.ts';

/** (validateEndpointSubsets) */
export function validateEndpoints(endpoints: Part, field: Field): void {
  for (const [index, { addresses = [], notReadyAddresses = [], ports = [] }] of (endpoints.subsets ?? []).entries()) {
    const at = field.child('subsets').index(index);
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      at.required('must specify `addresses` or `notReadyAddresses`');
    }
    for (const [place, address] of addresses.entries()) {
      validateEndpointAddress(address, at.child('addresses').index(place));
    }
    for (const [place, address] of notReadyAddresses.entries()) {
      validateEndpointAddress(address, at.child('notReadyAddresses').index(place));
    }
    for (const [place, port] of ports.entries()) {
      const each = at.child('ports').index(place);
      if (port.name) validateFormat(port.name, dnsLabel, each.child('name'));
      else if (ports.length > 1) each.child('name').required();
      validatePortNum(port.port ?? 0, each.child('port'));
      validateRequiredEnum(port.protocol, ['SCTP', 'TCP', 'UDP'], each.child('protocol'));
      if (port.appProtocol !== undefined) validateFormat(port.appProtocol, qualifiedName, each.child('appProtocol'));
    }
  }
}

function validateEndpointAddress({ ip = '', hostname, nodeName }: Part, field: Field): void {
  validateIP(ip, field.child('ip'));
  if (hostname) validateFormat(hostname, dnsLabel, field.child('hostname'));
  if (nodeName !== undefined) validateFormat(nodeName, dnsSubdomain, field.child('nodeName'));
  if (ipVersion(ip) === 0) field.child('ip').invalid(ip, 'must be a valid IP address');
  else validateNonSpecialIP(ip, field.child('ip'));
}

export function endpointsText({ subsets }: KubeObject): string {
  if (!subsets?.length) return '<none>';
  const addresses: string[] = subsets.flatMap(({ addresses = [], ports = [] }: Part) =>
    ports.length === 0
      ? addresses.map(({ ip }: Part) => ip)
      : ports.flatMap(({ port }: Part) => addresses.map(({ ip }: Part) => joinHostPort(ip, port))),
  );
  return formatFirst(addresses);
}

const joinHostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

/** (pkg/registry/core/endpoint/strategy.go) What the controller writes is right. */
export const endpointsWarnings: WarningStrategy = warningsOnWrite(({ metadata, subsets }) => {
  if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return none;
  const warnings: string[] = [];
  for (const [index, subset] of (subsets ?? []).entries()) {
    for (const list of ['addresses', 'notReadyAddresses']) {
      for (const [place, { ip = '' }] of (subset[list] ?? []).entries()) {
        addIPWarnings(`subsets[${index}].${list}[${place}].ip`, ip, warnings);
      }
    }
  }
  return warnings;
});
