import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { warningsOnWrite } from '../warnings.ts';
import { addFractionalByteWarnings, quantityOf, validatePositiveQuantityValue } from './resource-list.ts';

type PersistentVolumeClaim = Unvalidated<core.PersistentVolumeClaim>;
type PersistentVolumeClaimSpec = Unvalidated<core.PersistentVolumeClaimSpec>;

/** Also for the claim templates of stateful sets. (SetDefaults_PersistentVolumeClaim) */
export function setClaimPhase(claim: PersistentVolumeClaim): void {
  if (!claim.status?.phase) claim.status = { ...claim.status, phase: 'Pending' };
}

const storageOnly = ['storage'];

/** (pkg/api/persistentvolumeclaim/util.go, GetWarningsForPersistentVolumeClaimSpec) */
export function addPersistentVolumeClaimSpecWarnings(
  spec: PersistentVolumeClaimSpec | undefined,
  path: string,
  warnings: string[],
): void {
  addFractionalByteWarnings(spec?.resources?.requests, storageOnly, `${path}.resources.requests`, warnings);
  addFractionalByteWarnings(spec?.resources?.limits, storageOnly, `${path}.resources.limits`, warnings);
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Errors name the list, not its items. */
export function validateAccessModes(modes: readonly string[], field: Field): void {
  for (const mode of modes) if (!accessModes.includes(mode)) field.notSupported(mode, accessModes);
  const supported = modes.filter((mode) => accessModes.includes(mode));
  if (supported.includes('ReadWriteOncePod') && supported.some((mode) => mode !== 'ReadWriteOncePod')) {
    field.forbidden('may not use ReadWriteOncePod with other access modes');
  }
}

/** (ValidatePersistentVolumeClaimSpec) */
export function validatePersistentVolumeClaimSpec(spec: PersistentVolumeClaimSpec, field: Field): void {
  const modes = field.child('accessModes');
  if (!spec.accessModes?.length) modes.required('at least 1 access mode is required');
  validateLabelSelector(spec.selector, field.child('selector'));
  validateAccessModes(spec.accessModes ?? [], modes);
  const storage = spec.resources?.requests?.storage;
  const at = field.child('resources').key('storage');
  if (storage === undefined) at.required();
  else validatePositiveQuantityValue(storage, at);
  if (spec.storageClassName) validateFormat(spec.storageClassName, dnsSubdomain, field.child('storageClassName'));
  validateDataSource(spec.dataSource, field.child('dataSource'));
  validateDataSource(spec.dataSourceRef, field.child('dataSourceRef'));
  if (spec.volumeAttributesClassName) {
    validateFormat(spec.volumeAttributesClassName, dnsSubdomain, field.child('volumeAttributesClassName'));
  }
}

function validateDataSource(
  source: Unvalidated<core.TypedLocalObjectReference | core.TypedObjectReference> | undefined,
  field: Field,
): void {
  if (!source) return;
  if (!source.name) field.child('name').required();
  if (!source.kind) field.child('kind').required();
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') {
    field.invalid(source.kind ?? '', "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (source.apiGroup) validateFormat(source.apiGroup, dnsSubdomain, field.child('apiGroup'));
}

/** Claim templates of stateful sets are not validated here, but when claims are created from them. */
export function validatePersistentVolumeClaim(claim: PersistentVolumeClaim, field: Field): void {
  if (!field.isRoot) return;
  validatePersistentVolumeClaimSpec(claim.spec ?? {}, field.child('spec'));
}

/**
 * The volume name may be set once. A bound claim may change its VolumeAttributesClass, and its size, though not to less
 * than the capacity it has. (ValidatePersistentVolumeClaimUpdate)
 */
export function validatePersistentVolumeClaimUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  field: Field,
): void {
  const { spec = {} } = claim;
  const { spec: oldSpec = {} } = old;
  const isBound = claim.status?.phase === 'Bound';
  const oldStorage = oldSpec.resources?.requests?.storage;
  const resources = isBound
    ? { ...spec.resources, requests: { ...spec.resources?.requests, storage: oldStorage } }
    : spec.resources;
  const withOldMutableFields = {
    ...spec,
    resources,
    ...(oldSpec.volumeName ? {} : { volumeName: oldSpec.volumeName }),
    ...(oldSpec.storageClassName === undefined ? { storageClassName: undefined } : {}),
    ...(isBound ? { volumeAttributesClassName: oldSpec.volumeAttributesClassName } : {}),
  };
  const at = field.child('spec');
  if (!semanticDeepEqual(withOldMutableFields, oldSpec)) {
    at.forbidden(
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    );
  }
  validateRequestedStorageUpdate(claim, old, at.child('resources', 'requests', 'storage'));
  validateImmutableField(spec.volumeMode, oldSpec.volumeMode, field.child('volumeMode'));
}

function validateRequestedStorageUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, field: Field): void {
  const size = claim.spec?.resources?.requests?.storage;
  const oldSize = old.spec?.resources?.requests?.storage;
  if (size === undefined || oldSize === undefined) return;
  if (compareQuantities(quantityOf(size), quantityOf(oldSize)) >= 0) return;
  const capacity = quantityOf(old.status?.capacity?.storage ?? '0');
  if (compareQuantities(quantityOf(size), capacity) <= 0) {
    field.forbidden('field can not be less than status.capacity');
  }
}

export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
export const useStorageClassName = 'deprecated since v1.8; use "storageClassName" attribute instead';

export function addAnnotationWarning(
  metadata: ObjectMeta | undefined,
  key: string,
  text: string,
  warnings: string[],
): void {
  if (Object.hasOwn(metadata?.annotations ?? {}, key)) warnings.push(`metadata.annotations[${key}]: ${text}`);
}

/** (pkg/api/persistentvolumeclaim/util.go) */
export const persistentVolumeClaimWarnings = warningsOnWrite(({ metadata, spec }: PersistentVolumeClaim) => {
  const warnings: string[] = [];
  addAnnotationWarning(metadata, storageClassAnnotation, useStorageClassName, warnings);
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

/** Empty without a volume, as are the access modes. */
export const claimCapacity = ({ spec, status }: PersistentVolumeClaim): string =>
  spec?.volumeName ? (status?.capacity?.storage ?? '0') : '';
export const claimAccessModes = ({ spec, status }: PersistentVolumeClaim): string =>
  spec?.volumeName ? accessModesText(status?.accessModes) : '';
