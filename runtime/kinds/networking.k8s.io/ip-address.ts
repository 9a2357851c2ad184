import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { pathSegment } from '../../structural/formats.ts';
import { immutableText, validateFormat, validateRequiredFormat } from '../validation/fields.ts';

type IPAddress = Unvalidated<networking.IPAddress>;

/** The manager of IPAddresses of cluster IPs: their allocator. (ipallocator ControllerName) */
const allocator = 'ipallocator.k8s.io';
const familyLabel = 'ipaddress.kubernetes.io/ip-family';
const managedByLabel = 'ipaddress.kubernetes.io/managed-by';

/** Makes the IPAddress of a service's cluster IP. (ipallocator createIPAddress) */
export function newIPAddress(
  name: string,
  { namespace, name: service }: { readonly namespace: string; readonly name: string },
): Omit<networking.IPAddress, 'apiVersion' | 'kind'> {
  return {
    metadata: { name, labels: { [familyLabel]: ipFamily(name), [managedByLabel]: allocator } },
    spec: { parentRef: { resource: 'services', namespace, name: service } },
  };
}

/** Reports whether the labels belong to an allocated cluster IP. (verifyIPAddressLabels) */
export const hasAllocatorLabels = ({ name = '', labels = {} }: KubeObject['metadata']): boolean =>
  labels[familyLabel] === ipFamily(name) && isManagedByAllocator(labels);

/** (managedByController) */
export const isManagedByAllocator = (labels: Readonly<Record<string, string>>): boolean => labels[managedByLabel] === allocator;

const ipFamily = (address: string): string => (address.includes(':') ? 'IPv6' : 'IPv4');

/** For example `services/default/kubernetes`. (printIPAddress) */
export function ipAddressParent({ spec }: IPAddress): string {
  const parent = spec?.parentRef;
  if (!parent) return '<none>';
  const resource = `${parent.resource ?? ''}${parent.group ? `.${parent.group}` : ''}`.toLowerCase();
  return [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name ?? ''].join('/');
}

export function validateIPAddress({ spec }: IPAddress, field: Field): void {
  const parent = spec?.parentRef;
  const at = field.child('spec', 'parentRef');
  if (!parent) {
    at.required();
    return;
  }
  if (parent.group) validateFormat(parent.group, dnsSubdomain, at.child('group'));
  validateRequiredFormat(parent.resource, pathSegment, at.child('resource'));
  validateRequiredFormat(parent.name, pathSegment, at.child('name'));
  if (parent.namespace) validateFormat(parent.namespace, pathSegment, at.child('namespace'));
}

/** (ValidateIPAddressUpdate) */
export function validateIPAddressUpdate(address: IPAddress, old: IPAddress, field: Field): void {
  const parent = address.spec?.parentRef;
  if (equalPruned(parent, old.spec?.parentRef)) return;
  field.child('spec', 'parentRef').invalid(parent && internalParentReference(parent), immutableText);
}

/** Returns a reference as Go writes the internal type. */
const internalParentReference = ({
  group = '',
  resource = '',
  namespace = '',
  name = '',
}: Unvalidated<networking.ParentReference>): object => ({
  Group: group,
  Resource: resource,
  Namespace: namespace,
  Name: name,
});
