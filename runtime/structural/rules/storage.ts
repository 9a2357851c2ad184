import { forbidden, invalid, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkEnum, checkImmutable, type Errors, sameValue } from './checks.ts';
import { qualifiedName } from './text-formats.ts';
import { checkDriverName } from './volumes.ts';

/** (pkg/apis/storage/validation/validation.go) */
export function validateStorageClass(storageClass: Part, path: FieldPath, errors: Errors): void {
  const { provisioner = '', reclaimPolicy, parameters, volumeBindingMode } = storageClass;
  // That there is a provisioner is a marker of its Go field.
  for (const message of provisioner === '' ? [] : qualifiedName(provisioner.toLowerCase())) {
    errors.push(invalid(path.child('provisioner'), provisioner, message));
  }
  checkParameters(parameters, path.child('parameters'), errors);
  if (reclaimPolicy) checkEnum(reclaimPolicy, ['Delete', 'Retain'], path.child('reclaimPolicy'), errors);
  if (!volumeBindingMode) errors.push(required(path.child('volumeBindingMode')));
}

function checkParameters(parameters: Part, path: FieldPath, errors: Errors): void {
  if (Object.keys(parameters ?? {}).includes('')) errors.push(invalid(path, '', 'field can not be empty.'));
}

function forbidChanges(object: Part, old: Part, names: readonly string[], path: FieldPath, errors: Errors): void {
  for (const name of names) {
    if (!sameValue(object[name], old[name])) {
      errors.push(forbidden(path.child(name), `updates to ${name} are forbidden.`));
    }
  }
}

export function updateStorageClass(storageClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  forbidChanges(storageClass, old, ['parameters', 'provisioner', 'reclaimPolicy'], path, errors);
  checkImmutable(storageClass.volumeBindingMode, old.volumeBindingMode, path.child('volumeBindingMode'), errors);
}

export function validateAttributesClass(attributesClass: Part, path: FieldPath, errors: Errors): void {
  checkDriverName(attributesClass.driverName, path.child('driverName'), errors);
  checkParameters(attributesClass.parameters, path.child('parameters'), errors);
}

export function updateAttributesClass(attributesClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  forbidChanges(attributesClass, old, ['driverName', 'parameters'], path, errors);
}

export function validateAttachment(attachment: Part, path: FieldPath, errors: Errors): void {
  const { attacher = '', nodeName = '', source = {} } = attachment.spec ?? {};
  const at = path.child('spec');
  if (attacher === '') errors.push(required(at.child('attacher')));
  if (nodeName === '') errors.push(required(at.child('nodeName')));
  const { inlineVolumeSpec, persistentVolumeName } = source;
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) {
    errors.push(required(at.child('source'), 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  } else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) {
    errors.push(forbidden(at.child('source'), 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'));
  } else if (persistentVolumeName === '') errors.push(required(at.child('source', 'persistentVolumeName')));
}

export function updateAttachment(attachment: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(attachment.spec, old.spec, path.child('spec'), errors);
}

export function validateDriver(driver: Part, path: FieldPath, errors: Errors): void {
  checkDriverName(driver.metadata?.name, path.child('name'), errors);
}

export function updateDriver(driver: Part, old: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['attachRequired', 'volumeLifecycleModes']) {
    checkImmutable(driver.spec?.[name], old.spec?.[name], path.child('spec', name), errors);
  }
}
