import type { Field } from '../../machinery/validation/field.ts';
import { percent } from '../../structural/formats.ts';
import { negativeText } from './fields.ts';

/** A count or a percentage. (ValidatePositiveIntOrPercent) */
export function validatePositiveIntOrPercent(value: number | string | undefined, field: Field): void {
  if (typeof value === 'string') {
    for (const message of percent(value)) field.invalid(value, message);
  } else if (value !== undefined && value < 0) field.invalid(value, negativeText);
}

export const isZeroOrAbsent = (value: number | string | undefined): boolean =>
  value === undefined || value === 0 || /^0*%?$/.test(String(value));

export function isNotMoreThan100Percent(value: number | string | undefined, field: Field): void {
  if (typeof value === 'string' && percent(value).length === 0 && Number.parseInt(value, 10) > 100) {
    field.invalid(value, 'must not be greater than 100%');
  }
}
