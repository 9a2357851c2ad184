import type { KubeObject, ObjectMeta, Part } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import { forbidden, invalid, notSupported, required } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Errors, semanticDeepEqual, validateFormat, validateImmutableField } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { always, type WarningRules } from '../warnings.ts';
import { addFractionalByteWarnings, quantityOf, validatePositiveQuantity } from './resource-list.ts';

/** (SetDefaults_PersistentVolumeClaim) Also the claim templates of stateful sets have a phase. */
export function setClaimPhase(claim: Part): void {
  if (!claim.status?.phase) claim.status = { ...claim.status, phase: 'Pending' };
}

const storageOnly = ['storage'];

/** Of the spec of a PersistentVolumeClaim. (pkg/api/persistentvolumeclaim/util.go) */
export function addPersistentVolumeClaimSpecWarnings(spec: Part, path: string, warnings: string[]): void {
  addFractionalByteWarnings(spec?.resources?.requests, storageOnly, `${path}.resources.requests`, warnings);
  addFractionalByteWarnings(spec?.resources?.limits, storageOnly, `${path}.resources.limits`, warnings);
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Modes are judged together: errors name the list. */
export function validateAccessModes(modes: readonly string[], path: FieldPath, errors: Errors): void {
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(path, mode, accessModes));
  const known = modes.filter((mode) => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
}

/** (ValidatePersistentVolumeClaimSpec) Also of claim templates. */
export function validatePersistentVolumeClaimSpec(spec: Part, path: FieldPath, errors: Errors): void {
  const modes = path.child('accessModes');
  if (!spec.accessModes?.length) errors.push(required(modes, 'at least 1 access mode is required'));
  validateLabelSelector(spec.selector, path.child('selector'), errors);
  validateAccessModes(spec.accessModes ?? [], modes, errors);
  const storage = spec.resources?.requests?.storage;
  const at = path.child('resources').key('storage');
  if (storage === undefined) errors.push(required(at));
  else validatePositiveQuantity(storage, at, errors);
  if (spec.storageClassName)
    validateFormat(spec.storageClassName, dnsSubdomain, path.child('storageClassName'), errors);
  validateDataSource(spec.dataSource, path.child('dataSource'), errors);
  validateDataSource(spec.dataSourceRef, path.child('dataSourceRef'), errors);
  if (spec.volumeAttributesClassName) {
    validateFormat(spec.volumeAttributesClassName, dnsSubdomain, path.child('volumeAttributesClassName'), errors);
  }
}

function validateDataSource(source: Part, path: FieldPath, errors: Errors): void {
  if (!source) return;
  if (!source.name) errors.push(required(path.child('name')));
  if (!source.kind) errors.push(required(path.child('kind')));
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, source.kind ?? '', detail));
  }
  if (source.apiGroup) validateFormat(source.apiGroup, dnsSubdomain, path.child('apiGroup'), errors);
}

/** Claims of their own: what stateful sets make claims of is judged when they are made. */
export function validatePersistentVolumeClaim(claim: Part, path: FieldPath, errors: Errors): void {
  if (path !== FieldPath.root) return;
  validatePersistentVolumeClaimSpec(claim.spec ?? {}, path.child('spec'), errors);
}

/**
 * (ValidatePersistentVolumeClaimUpdate) The volume's name may be filled in once; of a bound claim the size and the
 * class of attributes may change, the size downwards only to what was never reached.
 */
export function validatePersistentVolumeClaimUpdate(claim: Part, old: Part, path: FieldPath, errors: Errors): void {
  const bound = claim.status?.phase === 'Bound';
  const given = claim.spec ?? {};
  const before = old.spec ?? {};
  const resources = bound
    ? { ...given.resources, requests: { ...given.resources?.requests, storage: before.resources?.requests?.storage } }
    : given.resources;
  const comparable = {
    ...given,
    resources,
    ...(before.volumeName ? {} : { volumeName: before.volumeName }),
    ...(before.storageClassName === undefined ? { storageClassName: undefined } : {}),
    ...(bound ? { volumeAttributesClassName: before.volumeAttributesClassName } : {}),
  };
  const spec = path.child('spec');
  if (!semanticDeepEqual(comparable, before)) {
    const what =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(forbidden(spec, what));
  }
  validateRequestedStorageUpdate(claim, old, spec.child('resources', 'requests', 'storage'), errors);
  validateImmutableField(given.volumeMode, before.volumeMode, path.child('volumeMode'), errors);
}

function validateRequestedStorageUpdate(claim: Part, old: Part, path: FieldPath, errors: Errors): void {
  const size = claim.spec?.resources?.requests?.storage;
  const before = old.spec?.resources?.requests?.storage;
  if (size === undefined || before === undefined) return;
  if (compareQuantities(quantityOf(size), quantityOf(before)) >= 0) return;
  const reached = quantityOf(old.status?.capacity?.storage ?? '0');
  if (compareQuantities(quantityOf(size), reached) <= 0) {
    errors.push(forbidden(path, 'field can not be less than status.capacity'));
  }
}

export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
export const useClassName = 'deprecated since v1.8; use "storageClassName" attribute instead';

export function addAnnotationWarning({ annotations }: ObjectMeta, key: string, why: string, warnings: string[]): void {
  if (annotations && Object.hasOwn(annotations, key)) warnings.push(`metadata.annotations[${key}]: ${why}`);
}

/** (pkg/api/persistentvolumeclaim/util.go) */
export const persistentVolumeClaimWarnings: WarningRules = always(({ metadata, spec }) => {
  const warnings: string[] = [];
  addAnnotationWarning(metadata, storageClassAnnotation, useClassName, warnings);
  addPersistentVolumeClaimSpecWarnings(spec, 'spec', warnings);
  return warnings;
});

const shortAccessModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

export const accessModesText = (modes: readonly string[] | undefined): string =>
  shortAccessModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** A claim has no size and no modes before it has a volume. */
export const claimCapacity = ({ spec, status }: KubeObject): string =>
  spec?.volumeName ? (status?.capacity?.storage ?? '0') : '';
export const claimAccessModes = ({ spec, status }: KubeObject): string =>
  spec?.volumeName ? accessModesText(status?.accessModes) : '';
