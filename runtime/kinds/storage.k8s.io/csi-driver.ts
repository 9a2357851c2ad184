import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Errors, validateImmutableField } from '../validation/fields.ts';

/** (ValidateCSIDriverName) */
export function validateCSIDriverName(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) errors.push(required(path));
  for (const message of dnsSubdomain((name ?? '').toLowerCase())) errors.push(invalid(path, name ?? '', message));
}

export const csiDriverTokenRequests = ({ spec }: KubeObject): string =>
  spec?.tokenRequests === undefined
    ? '<unset>'
    : spec.tokenRequests.map(({ audience }: Part) => audience ?? '').join(',');
export const csiDriverModes = ({ spec }: KubeObject): string => spec?.volumeLifecycleModes?.join(',') || '<none>';

export function validateCSIDriver(driver: Part, path: FieldPath, errors: Errors): void {
  validateCSIDriverName(driver.metadata?.name, path.child('name'), errors);
}

export function validateCSIDriverUpdate(driver: Part, old: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['attachRequired', 'volumeLifecycleModes']) {
    validateImmutableField(driver.spec?.[name], old.spec?.[name], path.child('spec', name), errors);
  }
}
