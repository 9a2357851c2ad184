import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { validateEnum, validateImmutableField } from '../validation/fields.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

/** (pkg/api/storage/util.go) */
export const storageClassWarnings: WarningStrategy = warningsOnWrite(({ allowedTopologies }) => {
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
export function validateStorageClass(storageClass: Part, path: Field): void {
  const { provisioner = '', reclaimPolicy, parameters, volumeBindingMode } = storageClass;
  // That there is a provisioner is a marker of its Go field.
  for (const message of provisioner === '' ? [] : qualifiedName(provisioner.toLowerCase())) {
    path.child('provisioner').invalid(provisioner, message);
  }
  validateParameters(parameters, path.child('parameters'));
  if (reclaimPolicy) validateEnum(reclaimPolicy, ['Delete', 'Retain'], path.child('reclaimPolicy'));
  if (!volumeBindingMode) path.child('volumeBindingMode').required();
}

export function validateParameters(parameters: Part, path: Field): void {
  if (Object.keys(parameters ?? {}).includes('')) path.invalid('', 'field can not be empty.');
}

export function validateUnchanged(object: Part, old: Part, names: readonly string[], field: Field): void {
  for (const name of names) {
    if (!semanticDeepEqual(object[name], old[name])) {
      field.child(name).forbidden(`updates to ${name} are forbidden.`);
    }
  }
}

export function validateStorageClassUpdate(storageClass: Part, old: Part, field: Field): void {
  validateUnchanged(storageClass, old, ['parameters', 'provisioner', 'reclaimPolicy'], field);
  validateImmutableField(storageClass.volumeBindingMode, old.volumeBindingMode, field.child('volumeBindingMode'));
}
