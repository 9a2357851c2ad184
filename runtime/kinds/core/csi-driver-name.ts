import type { Field } from '../../machinery/validation/field.ts';
import { byteLength, dnsSubdomain } from '../../machinery/validation/name-formats.ts';

const maxLength = 63;

/** (pkg/apis/core/validation, ValidateCSIDriverName) */
export function validateCSIDriverName(name: string | undefined, field: Field): void {
  if (!name) {
    field.required();
    if (field.follows('EmptyDriverIsOnlyMissing')) return;
  }
  validateFormat(name ?? '', field);
}

function validateFormat(name: string, field: Field): void {
  if (byteLength(name) > maxLength) field.tooLong('', maxLength);
  for (const message of dnsSubdomain(name.toLowerCase())) field.invalid(name, message);
}
