import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateCSIDriverName } from './csi-driver.ts';
import { validateParameters, validateUnchanged } from './storage-class.ts';

export function validateVolumeAttributesClass(attributesClass: Part, field: Field): void {
  validateCSIDriverName(attributesClass.driverName, field.child('driverName'));
  validateParameters(attributesClass.parameters, field.child('parameters'));
}

export function validateVolumeAttributesClassUpdate(attributesClass: Part, old: Part, field: Field): void {
  validateUnchanged(attributesClass, old, ['driverName', 'parameters'], field);
}
