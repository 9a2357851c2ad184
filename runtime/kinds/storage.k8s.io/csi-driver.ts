import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateImmutableField } from '../validation/fields.ts';

type CSIDriver = Unvalidated<storage.CSIDriver>;

/** (ValidateCSIDriverName) */
export function validateCSIDriverName(name: string | undefined, field: Field): void {
  if (!name) field.required();
  for (const message of dnsSubdomain((name ?? '').toLowerCase())) field.invalid(name ?? '', message);
}

/** (ValidateCSIDriver, pkg/apis/storage/validation/validation.go) */
export function validateCSIDriver({ metadata }: CSIDriver, field: Field): void {
  validateCSIDriverName(metadata?.name, field.child('name'));
}

/** (ValidateCSIDriverUpdate) */
export function validateCSIDriverUpdate(driver: CSIDriver, old: CSIDriver, field: Field): void {
  for (const name of ['attachRequired', 'volumeLifecycleModes'] as const) {
    validateImmutableField(driver.spec?.[name], old.spec?.[name], field.child('spec', name));
  }
}

export const csiDriverTokenRequests = ({ spec }: CSIDriver): string =>
  spec?.tokenRequests === undefined ? '<unset>' : spec.tokenRequests.map(({ audience = '' }) => audience).join(',');
export const csiDriverModes = ({ spec }: CSIDriver): string => spec?.volumeLifecycleModes?.join(',') || '<none>';
