import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { maxConfigs, validateDeviceConfiguration } from './device-configuration.ts';
import { validateSelectors } from './device-selector.ts';
import { eachOf } from './lists.ts';

/** (pkg/registry/resource/deviceclass/strategy.go) */

type DeviceClass = Unvalidated<resource.DeviceClass>;

export const deviceClassStrategy: RESTStrategy = {
  returnDeletedObject: true,
  validateCreate: (deviceClass: DeviceClass, errors) => validateDeviceClass(deviceClass, undefined, Field.at(FieldPath.root, errors)),
  validateUpdate: (deviceClass: DeviceClass, old: DeviceClass, errors) =>
    validateDeviceClass(deviceClass, old, Field.at(FieldPath.root, errors)),
};

/** (pkg/apis/resource/validation, validateDeviceClassSpec) */
function validateDeviceClass({ spec = {} }: DeviceClass, old: DeviceClass | undefined, field: Field): void {
  const config = spec.config ?? [];
  const at = field.child('spec');
  validateSelectors(spec.selectors ?? [], at.child('selectors'));
  const stored = old !== undefined && equalPruned(config, old.spec?.config ?? []);
  eachOf(config, maxConfigs, at.child('config'), (each, item) => validateDeviceConfiguration(each, item, stored));
}
