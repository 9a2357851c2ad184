import { quote } from '../../machinery/go/quote.ts';
import type { Part } from '../../machinery/object.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateImmutableField } from '../validation/fields.ts';
import { always, none, type WarningRules } from '../warnings.ts';

/** A slice stays with its driver, its pool and its node. */
export function validateResourceSliceUpdate(slice: Part, old: Part, path: FieldPath, errors: Errors): void {
  const spec = path.child('spec');
  validateImmutableField(slice.spec?.driver, old.spec?.driver, spec.child('driver'), errors);
  validateImmutableField(slice.spec?.pool?.name, old.spec?.pool?.name, spec.child('pool', 'name'), errors);
  validateImmutableField(slice.spec?.nodeName, old.spec?.nodeName, spec.child('nodeName'), errors);
}

/** (pkg/registry/resource/resourceslice/strategy.go) */
export const resourceSliceWarnings: WarningRules = always(({ spec }) => {
  const driver: string = spec?.driver ?? '';
  if (driver === driver.toLowerCase()) return none;
  return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`];
});
