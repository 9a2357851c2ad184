import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateImmutableField } from '../validation/fields.ts';

/** (ValidateCSIDriverName) */
export function validateCSIDriverName(name: string | undefined, field: Field): void {
  if (!name) field.required();
  for (const message of dnsSubdomain((name ?? '').toLowerCase())) field.invalid(name ?? '', message);
}

export const csiDriverTokenRequests = ({ spec }: KubeObject): string =>
  spec?.tokenRequests === undefined
    ? '<unset>'
    : spec.tokenRequests.map(({ audience }: Part) => audience ?? '').join(',');
export const csiDriverModes = ({ spec }: KubeObject): string => spec?.volumeLifecycleModes?.join(',') || '<none>';

export function validateCSIDriver(driver: Part, field: Field): void {
  validateCSIDriverName(driver.metadata?.name, field.child('name'));
}

export function validateCSIDriverUpdate(driver: Part, old: Part, field: Field): void {
  for (const name of ['attachRequired', 'volumeLifecycleModes']) {
    validateImmutableField(driver.spec?.[name], old.spec?.[name], field.child('spec', name));
  }
}
