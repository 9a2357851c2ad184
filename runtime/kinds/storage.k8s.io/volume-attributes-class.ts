import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateCSIDriverName } from './csi-driver.ts';
import { validateParameters, validateUnchanged } from './storage-class.ts';

type VolumeAttributesClass = Unvalidated<storage.VolumeAttributesClass>;

/** (ValidateVolumeAttributesClass, pkg/apis/storage/validation/validation.go) */
export function validateVolumeAttributesClass(attributesClass: VolumeAttributesClass, field: Field): void {
  validateCSIDriverName(attributesClass.driverName, field.child('driverName'));
  validateParameters(attributesClass.parameters, field.child('parameters'));
}

export function validateVolumeAttributesClassUpdate(
  attributesClass: VolumeAttributesClass,
  old: VolumeAttributesClass,
  field: Field,
): void {
  validateUnchanged(attributesClass, old, ['driverName', 'parameters'], field);
}
