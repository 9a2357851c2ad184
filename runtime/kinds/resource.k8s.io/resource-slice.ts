import { quote } from '../../machinery/go/quote.ts';
import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';
import { none, type WarningStrategy, warningsOnWrite } from '../warnings.ts';

/** A slice stays with its driver, its pool and its node. */
export function validateResourceSliceUpdate(slice: Part, old: Part, field: Field): void {
  const spec = field.child('spec');
  validateImmutableField(slice.spec?.driver, old.spec?.driver, spec.child('driver'));
  validateImmutableField(slice.spec?.pool?.name, old.spec?.pool?.name, spec.child('pool', 'name'));
  validateImmutableField(slice.spec?.nodeName, old.spec?.nodeName, spec.child('nodeName'));
}

/** (pkg/registry/resource/resourceslice/strategy.go) */
export const resourceSliceWarnings: WarningStrategy = warningsOnWrite(({ spec }) => {
  const driver: string = spec?.driver ?? '';
  if (driver === driver.toLowerCase()) return none;
  return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`];
});
