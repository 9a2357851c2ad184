import { invalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { percent } from '../../structural/formats.ts';
import { type Errors, negativeText } from './fields.ts';

/** A count or a percentage. (ValidatePositiveIntOrPercent) */
export function validatePositiveIntOrPercent(
  value: number | string | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (typeof value === 'string') {
    for (const message of percent(value)) errors.push(invalid(path, value, message));
  } else if (value !== undefined && value < 0) errors.push(invalid(path, value, negativeText));
}

export const isZeroOrAbsent = (value: number | string | undefined): boolean =>
  value === undefined || value === 0 || /^0*%?$/.test(String(value));

export function isNotMoreThan100Percent(value: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof value === 'string' && percent(value).length === 0 && Number.parseInt(value, 10) > 100) {
    errors.push(invalid(path, value, 'must not be greater than 100%'));
  }
}
