import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject, ObjectMeta, Part } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';
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
export function validateAccessModes(modes: readonly string[], field: Field): void {
  for (const mode of modes) if (!accessModes.includes(mode)) field.notSupported(mode, accessModes);
  const known = modes.filter((mode) => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    field.forbidden('may not use ReadWriteOncePod with other access modes');
  }
}

/** (ValidatePersistentVolumeClaimSpec) Also of claim templates. */
export function validatePersistentVolumeClaimSpec(spec: Part, field: Field): void {
  const modes = field.child('accessModes');
  if (!spec.accessModes?.length) modes.required('at least 1 access mode is required');
  validateLabelSelector(spec.selector, field.child('selector'));
  validateAccessModes(spec.accessModes ?? [], modes);
  const storage = spec.resources?.requests?.storage;
  const at = field.child('resources').key('storage');
  if (storage === undefined) at.required();
  else validatePositiveQuantity(storage, at);
  if (spec.storageClassName) validateFormat(spec.storageClassName, dnsSubdomain, field.child('storageClassName'));
  validateDataSource(spec.dataSource, field.child('dataSource'));
  validateDataSource(spec.dataSourceRef, field.child('dataSourceRef'));
  if (spec.volumeAttributesClassName) {
    validateFormat(spec.volumeAttributesClassName, dnsSubdomain, field.child('volumeAttributesClassName'));
  }
}

function validateDataSource(source: Part, field: Field): void {
  if (!source) return;
  if (!source.name) field.child('name').required();
  if (!source.kind) field.child('kind').required();
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    field.invalid(source.kind ?? '', detail);
  }
  if (source.apiGroup) validateFormat(source.apiGroup, dnsSubdomain, field.child('apiGroup'));
}

/** Claims of their own: what stateful sets make claims of is judged when they are made. */
export function validatePersistentVolumeClaim(claim: Part, field: Field): void {
  if (field !== FieldPath.root) return;
  validatePersistentVolumeClaimSpec(claim.spec ?? {}, field.child('spec'));
}

/**
 * (ValidatePersistentVolumeClaimUpdate) The volume's name may be filled in once; of a bound claim the size and the
 * class of attributes may change, the size downwards only to what was never reached.
 */
export function validatePersistentVolumeClaimUpdate(claim: Part, old: Part, field: Field): void {
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
  const spec = field.child('spec');
  if (!semanticDeepEqual(comparable, before)) {
    const what =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    spec.forbidden(what);
  }
  validateRequestedStorageUpdate(claim, old, spec.child('resources', 'requests', 'storage'));
  validateImmutableField(given.volumeMode, before.volumeMode, field.child('volumeMode'));
}

function validateRequestedStorageUpdate(claim: Part, old: Part, path: Field): void {
  const size = claim.spec?.resources?.requests?.storage;
  const before = old.spec?.resources?.requests?.storage;
  if (size === undefined || before === undefined) return;
  if (compareQuantities(quantityOf(size), quantityOf(before)) >= 0) return;
  const reached = quantityOf(old.status?.capacity?.storage ?? '0');
  if (compareQuantities(quantityOf(size), reached) <= 0) {
    path.forbidden('field can not be less than status.capacity');
  }
}

export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
export const useClassName = 'deprecated since v1.8; use "storageClassName" attribute instead';

export function addAnnotationWarning({ annotations }: ObjectMeta, key: string, why: string, warnings: string[]): void {
  if (annotations && Object.hasOwn(annotations, key)) warnings.push(`metadata.annotations[${key}]: ${why}`);
}

/** (pkg/api/persistentvolumeclaim/util.go) */
export const persistentVolumeClaimWarnings: WarningStrategy = warningsOnWrite(({ metadata, spec }) => {
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
