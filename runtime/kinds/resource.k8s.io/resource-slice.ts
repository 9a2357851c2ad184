import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';
import { none, type WarningStrategy, warningsOnWrite } from '../warnings.ts';

type ResourceSlice = Unvalidated<resource.ResourceSlice>;

/** (ValidateResourceSliceUpdate) */
export function validateResourceSliceUpdate(slice: ResourceSlice, old: ResourceSlice, field: Field): void {
  const spec = field.child('spec');
  validateImmutableField(slice.spec?.driver, old.spec?.driver, spec.child('driver'));
  validateImmutableField(slice.spec?.pool?.name, old.spec?.pool?.name, spec.child('pool', 'name'));
  validateImmutableField(slice.spec?.nodeName, old.spec?.nodeName, spec.child('nodeName'));
}

/** (pkg/registry/resource/resourceslice/strategy.go) */
export const resourceSliceWarnings: WarningStrategy<ResourceSlice> = warningsOnWrite(({ spec }) => {
  const driver = spec?.driver ?? '';
  if (driver === driver.toLowerCase()) return none;
  return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`];
});
