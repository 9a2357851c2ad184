import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateImmutableField } from '../validation/fields.ts';
import { ipVersion } from '../validation/ip.ts';

/** As `services/default/kubernetes`. */
export function ipAddressParent({ spec }: KubeObject): string {
  const parent = spec?.parentRef;
  if (!parent) return '<none>';
  const resource = `${parent.resource ?? ''}${parent.group ? `.${parent.group}` : ''}`.toLowerCase();
  return [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name ?? ''].join('/');
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

export function validateIPAddressUpdate(address: Part, old: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('spec').child('parentRef');
  validateImmutableField(address.spec?.parentRef, old.spec?.parentRef, at, errors);
}
