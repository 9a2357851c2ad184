import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateParameters, validateProvisioner, validateUnchanged } from './storage-class.ts';

type VolumeAttributesClass = Unvalidated<storage.VolumeAttributesClass>;

/** (pkg/registry/storage/volumeattributesclass/strategy.go) */
export const volumeAttributesClassStrategy: RESTStrategy = {
  returnDeletedObject: true,
  validateCreate: (attributesClass: VolumeAttributesClass, errors) =>
    validateVolumeAttributesClass(attributesClass, Field.at(FieldPath.root, errors)),
  /** (ValidateVolumeAttributesClassUpdate) */
  validateUpdate(attributesClass: VolumeAttributesClass, old: VolumeAttributesClass, errors) {
    const field = Field.at(FieldPath.root, errors);
    validateUnchanged(attributesClass, old, ['driverName', 'parameters'], field);
    validateVolumeAttributesClass(attributesClass, field);
  },
};

/** (ValidateVolumeAttributesClass) */
function validateVolumeAttributesClass({ driverName = '', parameters }: VolumeAttributesClass, field: Field): void {
  if (driverName === '') field.child('driverName').required();
  else validateProvisioner(driverName, field.child('driverName'));
  validateParameters(parameters, field.child('parameters'));
  if (Object.keys(parameters ?? {}).length === 0) {
    field.child('parameters').required('must contain at least one key/value pair');
  }
}
