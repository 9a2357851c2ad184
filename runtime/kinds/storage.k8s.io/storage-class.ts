import type { KubeObject, Part } from '../../machinery/object.ts';
import { forbidden, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { type Errors, semanticDeepEqual, validateEnum, validateImmutableField } from '../validation/fields.ts';
import { always, type WarningRules } from '../warnings.ts';

/** (pkg/api/storage/util.go) */
export const storageClassWarnings: WarningRules = always(({ allowedTopologies }) => {
  const warnings: string[] = [];
  for (const [index, { matchLabelExpressions }] of (allowedTopologies ?? []).entries()) {
    for (const [place, { key }] of (matchLabelExpressions ?? []).entries()) {
      const why = nodeLabelWarning(key);
      const at = `allowedTopologies[${index}].matchLabelExpressions[${place}].key`;
      if (why !== undefined) warnings.push(`${at}: ${why}`);
    }
  }
  return warnings;
});

const defaultClassAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export function nameOrDefaultClass({ metadata }: KubeObject): string {
  const isDefault = defaultClassAnnotations.some((annotation) => metadata.annotations?.[annotation] === 'true');
  return isDefault ? `${metadata.name} (default)` : (metadata.name ?? '');
}

export const storageClassExpansion = ({ allowVolumeExpansion }: KubeObject): boolean => allowVolumeExpansion ?? false;

/** (pkg/apis/storage/validation/validation.go) */
export function validateStorageClass(storageClass: Part, path: FieldPath, errors: Errors): void {
  const { provisioner = '', reclaimPolicy, parameters, volumeBindingMode } = storageClass;
  // That there is a provisioner is a marker of its Go field.
  for (const message of provisioner === '' ? [] : qualifiedName(provisioner.toLowerCase())) {
    errors.push(invalid(path.child('provisioner'), provisioner, message));
  }
  validateParameters(parameters, path.child('parameters'), errors);
  if (reclaimPolicy) validateEnum(reclaimPolicy, ['Delete', 'Retain'], path.child('reclaimPolicy'), errors);
  if (!volumeBindingMode) errors.push(required(path.child('volumeBindingMode')));
}

export function validateParameters(parameters: Part, path: FieldPath, errors: Errors): void {
  if (Object.keys(parameters ?? {}).includes('')) errors.push(invalid(path, '', 'field can not be empty.'));
}

export function validateUnchanged(
  object: Part,
  old: Part,
  names: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  for (const name of names) {
    if (!semanticDeepEqual(object[name], old[name])) {
      errors.push(forbidden(path.child(name), `updates to ${name} are forbidden.`));
    }
  }
}

export function validateStorageClassUpdate(storageClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateUnchanged(storageClass, old, ['parameters', 'provisioner', 'reclaimPolicy'], path, errors);
  validateImmutableField(
    storageClass.volumeBindingMode,
    old.volumeBindingMode,
    path.child('volumeBindingMode'),
    errors,
  );
}
