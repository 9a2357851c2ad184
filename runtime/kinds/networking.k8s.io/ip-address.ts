import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';
import { ipVersion } from '../validation/ip.ts';

type IPAddress = Unvalidated<networking.IPAddress>;

/** For example `services/default/kubernetes`. (printIPAddress) */
export function ipAddressParent({ spec }: IPAddress): string {
  const parent = spec?.parentRef;
  if (!parent) return '<none>';
  const resource = `${parent.resource ?? ''}${parent.group ? `.${parent.group}` : ''}`.toLowerCase();
  return [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name ?? ''].join('/');
}

export function validateIPAddress({ metadata, spec }: IPAddress, field: Field): void {
  const name = metadata?.name ?? '';
  if (ipVersion(name) === 0) {
    field.child('metadata', 'name').invalid(name, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  }
  const parent = spec?.parentRef;
  const at = field.child('spec', 'parentRef');
  if (!parent) {
    at.required();
    return;
  }
  if (!parent.resource) at.child('resource').required();
  if (!parent.name) at.child('name').required();
}

export function validateIPAddressUpdate(address: IPAddress, old: IPAddress, field: Field): void {
  const at = field.child('spec', 'parentRef');
  validateImmutableField(address.spec?.parentRef, old.spec?.parentRef, at);
}
