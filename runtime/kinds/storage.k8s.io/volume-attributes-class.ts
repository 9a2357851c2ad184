import type { Part } from '../../machinery/object.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';
import { validateCSIDriverName } from './csi-driver.ts';
import { validateParameters, validateUnchanged } from './storage-class.ts';

export function validateVolumeAttributesClass(attributesClass: Part, path: FieldPath, errors: Errors): void {
  validateCSIDriverName(attributesClass.driverName, path.child('driverName'), errors);
  validateParameters(attributesClass.parameters, path.child('parameters'), errors);
}

export function validateVolumeAttributesClassUpdate(
  attributesClass: Part,
  old: Part,
  path: FieldPath,
  errors: Errors,
): void {
  validateUnchanged(attributesClass, old, ['driverName', 'parameters'], path, errors);
}
