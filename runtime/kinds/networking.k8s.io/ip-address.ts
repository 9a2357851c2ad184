import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';
import { ipVersion } from '../validation/ip.ts';

/** As `services/default/kubernetes`. */
export function ipAddressParent({ spec }: KubeObject): string {
  const parent = spec?.parentRef;
  if (!parent) return '<none>';
  const resource = `${parent.resource ?? ''}${parent.group ? `.${parent.group}` : ''}`.toLowerCase();
  return [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name ?? ''].join('/');
}

export function validateIPAddress(address: Part, field: Field): void {
  const name = address.metadata?.name ?? '';
  if (ipVersion(name) === 0) {
    field.child('metadata', 'name').invalid(name, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  }
  const parent = address.spec?.parentRef;
  const at = field.child('spec', 'parentRef');
  if (!parent) {
    at.required();
    return;
  }
  if (!parent.resource) at.child('resource').required();
  if (!parent.name) at.child('name').required();
}

export function validateIPAddressUpdate(address: Part, old: Part, field: Field): void {
  const at = field.child('spec').child('parentRef');
  validateImmutableField(address.spec?.parentRef, old.spec?.parentRef, at);
}
