import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { isEnough } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { byteLength, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { validateEnum, validateFormat, validateImmutableEnum } from '../validation/fields.ts';
import { type WriteWarnings, warningsOnWrite } from '../warnings.ts';
import { isDefaultClass } from './default-class.ts';

type StorageClass = Unvalidated<storage.StorageClass>;

/** (pkg/api/storage/util.go, GetWarningsForStorageClass) */
export const storageClassWarnings: WriteWarnings<StorageClass> = warningsOnWrite(({ allowedTopologies }) => {
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

/** For example `standard (default)`. (printStorageClass) */
export function nameOrDefaultClass({ metadata }: Unvalidated<storage.StorageClass | storage.VolumeAttributesClass>): string {
  const name = metadata?.name ?? '';
  return isDefaultClass(metadata) ? `${name} (default)` : name;
}

export const storageClassExpansion = ({ allowVolumeExpansion = false }: StorageClass): boolean => allowVolumeExpansion;

/** (pkg/registry/storage/storageclass/strategy.go) */
export const storageClassStrategy: RESTStrategy = {
  returnDeletedObject: true,
  validate: (storageClass: StorageClass, errors) => validateStorageClass(storageClass, Field.at(FieldPath.root, errors)),
  /** (ValidateStorageClassUpdate) */
  validateUpdate(storageClass: StorageClass, old: StorageClass, errors) {
    const field = Field.at(FieldPath.root, errors);
    validateRequiredProvisioner(storageClass, field);
    validateUnchanged(storageClass, old, ['parameters', 'provisioner', 'reclaimPolicy'], field);
    validateImmutableEnum(storageClass.volumeBindingMode, old.volumeBindingMode, field.child('volumeBindingMode'));
  },
};

/** (ValidateStorageClass) */
function validateStorageClass(storageClass: StorageClass, field: Field): void {
  const { provisioner, reclaimPolicy, volumeBindingMode = '' } = storageClass;
  validateRequiredProvisioner(storageClass, field);
  if (provisioner) validateProvisioner(provisioner, field.child('provisioner'));
  validateParameters(storageClass.parameters, field.child('parameters'));
  if (reclaimPolicy) validateEnum(reclaimPolicy, ['Delete', 'Retain'], field.child('reclaimPolicy'));
  validateEnum(volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], field.child('volumeBindingMode'));
  validateAllowedTopologies(storageClass.allowedTopologies ?? [], field.child('allowedTopologies'));
}

/** Since v1.35, a generated check reports a missing provisioner, because the Go field is marked as required. */
function validateRequiredProvisioner({ provisioner }: StorageClass, field: Field): void {
  if (!provisioner && !field.follows('RequiredIsDeclared')) field.child('provisioner').required();
}

/** Shows the name in lower case. (validateProvisioner) */
export function validateProvisioner(provisioner: string, field: Field): void {
  validateFormat(provisioner.toLowerCase(), qualifiedName, field);
}

const maxParameters = 512;
/** The maximum size of all names and values, in bytes. */
const maxParameterSize = 256 * 1024;

/** (validateParameters) */
export function validateParameters(parameters: StorageClass['parameters'], field: Field): void {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > maxParameters) {
    field.tooLong('', maxParameters);
    return;
  }
  let size = 0;
  for (const [name, value] of entries) {
    if (name === '') field.invalid('', 'field can not be empty.');
    size += byteLength(name) + byteLength(value);
  }
  if (size > maxParameterSize) field.tooLong('', maxParameterSize);
}

type TopologySelectorTerm = Unvalidated<core.TopologySelectorTerm>;

/** (validateAllowedTopologies) */
function validateAllowedTopologies(terms: readonly TopologySelectorTerm[], field: Field): void {
  const seen = new Map<string, number>();
  for (const [index, term] of terms.entries()) {
    const at = field.index(index);
    const key = validateTopologySelectorTerm(term, at.child('matchLabelExpressions'));
    // upstream also compares each term with as many empty terms
    const same = (seen.get(key) ?? 0) + (key === '[]' ? terms.length : 0);
    for (let count = 0; count < same && !isEnough(field.errors); count++) {
      at.child('matchLabelExpressions').duplicate('');
    }
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
}

/** Returns the same text for terms with the same meaning. (ValidateTopologySelectorTerm) */
function validateTopologySelectorTerm({ matchLabelExpressions }: TopologySelectorTerm, field: Field): string {
  const valuesOf = new Map<string, readonly string[]>();
  for (const [index, { key = '', values }] of (matchLabelExpressions ?? []).entries()) {
    const at = field.index(index);
    const distinct = validateTopologyValues(values ?? [], at.child('values'));
    validateFormat(key, qualifiedName, at.child('key'));
    if (valuesOf.has(key)) at.child('key').duplicate(key);
    valuesOf.set(key, distinct);
  }
  return JSON.stringify([...valuesOf].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the distinct values, sorted. (validateTopologySelectorLabelRequirement) */
function validateTopologyValues(values: readonly string[], field: Field): string[] {
  if (values.length === 0) field.required();
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) field.index(index).duplicate(value);
    seen.add(value);
  }
  return [...seen].sort();
}

/** Like validateImmutableField, with upstream's message for storage classes and volume attributes classes. */
export function validateUnchanged<Name extends string>(
  object: { readonly [Key in Name]?: unknown },
  old: { readonly [Key in Name]?: unknown },
  names: readonly Name[],
  field: Field,
): void {
  for (const name of names) {
    if (!equalPruned(object[name], old[name])) {
      field.child(name).forbidden(`updates to ${name} are forbidden.`);
    }
  }
}
