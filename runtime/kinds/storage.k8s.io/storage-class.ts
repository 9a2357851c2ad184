import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { validateEnum, validateImmutableField } from '../validation/fields.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

type StorageClass = Unvalidated<storage.StorageClass>;

/** (pkg/api/storage/util.go, GetWarningsForStorageClass) */
export const storageClassWarnings: WarningStrategy<StorageClass> = warningsOnWrite(({ allowedTopologies }) => {
  const warnings: string[] = [];
  for (const [index, { matchLabelExpressions }] of (allowedTopologies ?? []).entries()) {
    for (const [expressionIndex, { key = '' }] of (matchLabelExpressions ?? []).entries()) {
      const message = nodeLabelWarning(key);
      const at = `allowedTopologies[${index}].matchLabelExpressions[${expressionIndex}].key`;
      if (message !== undefined) warnings.push(`${at}: ${message}`);
    }
  }
  return warnings;
});

const defaultClassAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** For example `standard (default)`. (printStorageClass) */
export function nameOrDefaultClass({
  metadata,
}: Unvalidated<storage.StorageClass | storage.VolumeAttributesClass>): string {
  const isDefault = defaultClassAnnotations.some((annotation) => metadata?.annotations?.[annotation] === 'true');
  const name = metadata?.name ?? '';
  return isDefault ? `${name} (default)` : name;
}

export const storageClassExpansion = ({ allowVolumeExpansion = false }: StorageClass): boolean => allowVolumeExpansion;

/** (pkg/apis/storage/validation/validation.go) */
export function validateStorageClass(storageClass: StorageClass, field: Field): void {
  const { provisioner = '', reclaimPolicy, parameters, volumeBindingMode } = storageClass;
  // A generated check reports a missing provisioner: the Go field is marked as required.
  for (const message of provisioner === '' ? [] : qualifiedName(provisioner.toLowerCase())) {
    field.child('provisioner').invalid(provisioner, message);
  }
  validateParameters(parameters, field.child('parameters'));
  if (reclaimPolicy) validateEnum(reclaimPolicy, ['Delete', 'Retain'], field.child('reclaimPolicy'));
  if (!volumeBindingMode) field.child('volumeBindingMode').required();
}

export function validateParameters(parameters: StorageClass['parameters'], field: Field): void {
  if (Object.keys(parameters ?? {}).includes('')) field.invalid('', 'field can not be empty.');
}

/** Like validateImmutableField, with the message that storage classes and volume attributes classes have upstream. */
export function validateUnchanged<Name extends string>(
  object: { readonly [Key in Name]?: unknown },
  old: { readonly [Key in Name]?: unknown },
  names: readonly Name[],
  field: Field,
): void {
  for (const name of names) {
    if (!semanticDeepEqual(object[name], old[name])) {
      field.child(name).forbidden(`updates to ${name} are forbidden.`);
    }
  }
}

export function validateStorageClassUpdate(storageClass: StorageClass, old: StorageClass, field: Field): void {
  validateUnchanged(storageClass, old, ['parameters', 'provisioner', 'reclaimPolicy'], field);
  validateImmutableField(storageClass.volumeBindingMode, old.volumeBindingMode, field.child('volumeBindingMode'));
}
