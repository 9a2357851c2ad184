import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateEnum, validateFormat } from '../validation/fields.ts';
import { hasInvalidLabelValueInLabelSelector, type LabelSelectorValidationOptions, validateLabelSelector } from '../validation/labels.ts';
import { warningsOnWrite } from '../warnings.ts';
import { accessModesText, validateAccessModes, volumeModes } from './access-modes.ts';
import { hasGroup, normalizeDataSources, prepareDataSources, validateDataSources } from './data-sources.ts';
import { validatePersistentVolumeClaimStatusUpdate, validatePersistentVolumeClaimUpdate } from './persistent-volume-claim-update.ts';
import { addFractionalByteWarnings, roundResourceList, validatePositiveQuantityValue } from './resource-list.ts';
import { storageClassAnnotation } from './storage-class-annotation.ts';

type PersistentVolumeClaim = Unvalidated<core.PersistentVolumeClaim>;
type PersistentVolumeClaimSpec = Unvalidated<core.PersistentVolumeClaimSpec>;

/** The claim may be the template of a stateful set. (SetDefaults_PersistentVolumeClaim) */
export function setClaimPhase(claim: PersistentVolumeClaim): void {
  if (!claim.status?.phase) claim.status = { ...claim.status, phase: 'Pending' };
}

/** (SetObjectDefaults_PersistentVolumeClaim) */
export function roundClaimCapacity(status: Unvalidated<core.PersistentVolumeClaimStatus>): void {
  roundResourceList(status.capacity);
  roundResourceList(status.allocatedResources);
}

const storageOnly = ['storage'];

/** (pkg/api/persistentvolumeclaim/util.go, GetWarningsForPersistentVolumeClaimSpec) */
export function addPersistentVolumeClaimSpecWarnings(spec: PersistentVolumeClaimSpec | undefined, path: string, warnings: string[]): void {
  addFractionalByteWarnings(spec?.resources?.requests, storageOnly, `${path}.resources.requests`, warnings);
  addFractionalByteWarnings(spec?.resources?.limits, storageOnly, `${path}.resources.limits`, warnings);
}

/** (pkg/registry/core/persistentvolumeclaim/strategy.go) */
export const persistentVolumeClaimStrategy: RESTStrategy = {
  returnDeletedObject: true,
  prepareForCreate({ spec }: PersistentVolumeClaim) {
    if (spec) prepareDataSources(spec, undefined);
  },
  prepareForUpdate({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim, { part }) {
    if (part === 'status' || !spec) return;
    prepareDataSources(spec, old.spec);
    if (old.spec) normalizeDataSources(old.spec);
  },
  validateCreate({ spec = {} }: PersistentVolumeClaim, errors) {
    validatePersistentVolumeClaimSpec(spec, Field.at(FieldPath.of('spec'), errors));
  },
  validateUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, errors, { part }) {
    const field = Field.at(FieldPath.root, errors);
    if (part === 'status') {
      validatePersistentVolumeClaimStatusUpdate(claim, field.child('status'));
      return;
    }
    validatePersistentVolumeClaimSpec(claim.spec ?? {}, field.child('spec'), optionsFor(old.spec ?? {}));
    validatePersistentVolumeClaimUpdate(claim, old, field);
  },
};

/** Errors of the stored claim that may stay. (PersistentVolumeClaimSpecValidationOptions) */
interface ValidationOptions extends LabelSelectorValidationOptions {
  readonly allowInvalidAPIGroupInDataSourceOrRef?: boolean;
}

/** (ValidationOptionsForPersistentVolumeClaim) */
function optionsFor({ selector, dataSource, dataSourceRef }: PersistentVolumeClaimSpec): ValidationOptions {
  return {
    allowInvalidLabelValueInSelector: hasInvalidLabelValueInLabelSelector(selector),
    allowInvalidAPIGroupInDataSourceOrRef: hasGroup(dataSource) || hasGroup(dataSourceRef),
  };
}

/** (ValidatePersistentVolumeClaimSpec) */
export function validatePersistentVolumeClaimSpec(spec: PersistentVolumeClaimSpec, field: Field, options: ValidationOptions = {}): void {
  const { storageClassName, volumeMode, volumeAttributesClassName } = spec;
  const modes = field.child('accessModes');
  if (!spec.accessModes?.length) modes.required('at least 1 access mode is required');
  validateLabelSelector(spec.selector, field.child('selector'), options);
  validateAccessModes(spec.accessModes, modes);
  const storage = spec.resources?.requests?.storage;
  const at = field.child('resources').key('storage');
  if (storage === undefined) at.required();
  else validatePositiveQuantityValue(storage, at);
  if (storageClassName) validateFormat(storageClassName, dnsSubdomain, field.child('storageClassName'));
  if (volumeMode !== undefined) validateEnum(volumeMode, volumeModes, field.child('volumeMode'));
  validateDataSources(spec, field, options.allowInvalidAPIGroupInDataSourceOrRef);
  if (volumeAttributesClassName) {
    validateFormat(volumeAttributesClassName, dnsSubdomain, field.child('volumeAttributesClassName'));
  }
}

export const useStorageClassName = 'deprecated since v1.8; use "storageClassName" attribute instead';

export function addAnnotationWarning(metadata: ObjectMeta | undefined, key: string, text: string, warnings: string[]): void {
  if (Object.hasOwn(metadata?.annotations ?? {}, key)) warnings.push(`metadata.annotations[${key}]: ${text}`);
}

/** (pkg/api/persistentvolumeclaim/util.go) */
export const persistentVolumeClaimWarnings = warningsOnWrite(({ metadata, spec }: PersistentVolumeClaim) => {
  const warnings: string[] = [];
  addAnnotationWarning(metadata, storageClassAnnotation, useStorageClassName, warnings);
  addPersistentVolumeClaimSpecWarnings(spec, 'spec', warnings);
  return warnings;
});

/** Returns the capacity; "" without a volume. The column of access modes is empty then, too. */
export const claimCapacity = ({ spec, status }: PersistentVolumeClaim): string =>
  spec?.volumeName ? (status?.capacity?.storage ?? '0') : '';
export const claimAccessModes = ({ spec, status }: PersistentVolumeClaim): string =>
  spec?.volumeName ? accessModesText(status?.accessModes) : '';
