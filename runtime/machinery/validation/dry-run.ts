import { type FieldError, notSupported } from './field-error.ts';
import { FieldPath } from './field-path.ts';

/** Returns errors for values of dryRun other than All. (ValidateDryRun) */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported(FieldPath.of('dryRun'), dryRun, ['All'])];
}
