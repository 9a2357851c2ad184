import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain, labelValue } from '../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from '../validation/fields.ts';
import { validateAccessModes, volumeModes } from './access-modes.ts';
import { validateNodeSelector } from './node-selector.ts';
import { validatePersistentVolumeSource } from './persistent-volume-sources.ts';
import { sortedResourceList, validateBasicResource, validatePositiveQuantityValue } from './resource-list.ts';
import { isRootPath } from './volume-sources.ts';

/** The spec of persistent volumes, and of inline volumes of attachments. (pkg/apis/core/validation) */

type PersistentVolume = Unvalidated<core.PersistentVolume>;
type PersistentVolumeSpec = Unvalidated<core.PersistentVolumeSpec>;

/** (ValidatePersistentVolumeSpec) */
export function validatePersistentVolumeSpec(
  { metadata, spec = {} }: PersistentVolume,
  old: PersistentVolume | undefined,
  field: Field,
): void {
  const { persistentVolumeReclaimPolicy: policy, storageClassName, volumeMode } = spec;
  validateRequiredAccessModes(spec, field.child('accessModes'));
  validateCapacity(spec.capacity ?? undefined, field.child('capacity'));
  if (policy) validateEnum(policy, ['Delete', 'Recycle', 'Retain'], field.child('persistentVolumeReclaimPolicy'));
  if (spec.nodeAffinity) validateVolumeNodeAffinity(spec.nodeAffinity, old, field.child('nodeAffinity'));
  validatePersistentVolumeSource(spec, metadata?.name ?? '', field);
  validateRootPath(spec, field.child('persistentVolumeReclaimPolicy'));
  if (storageClassName) validateFormat(storageClassName, dnsSubdomain, field.child('storageClassName'));
  if (volumeMode !== undefined) validateEnum(volumeMode, volumeModes, field.child('volumeMode'));
  validateVolumeAttributesClassName(spec, field);
}

function validateCapacity(capacity: PersistentVolumeSpec['capacity'], field: Field): void {
  const names = Object.keys(capacity ?? {});
  if (names.length === 0) field.required();
  if (names.length !== 1 || names[0] !== 'storage') field.notSupported(sortedResourceList(capacity), ['storage']);
  for (const name of names) {
    validateBasicResource(capacity?.[name], field.key(name));
    validatePositiveQuantityValue(capacity?.[name], field.key(name));
  }
}

/** Stored invalid label values may stay. (validateVolumeNodeAffinity, ValidationOptionsForPersistentVolume) */
function validateVolumeNodeAffinity(
  { required }: Unvalidated<core.VolumeNodeAffinity>,
  old: PersistentVolume | undefined,
  field: Field,
): void {
  const at = field.child('required');
  if (required) validateNodeSelector(required, at, hasInvalidLabelValue(old?.spec));
  else at.required('must specify required node constraints');
}

/** (HasInvalidLabelValueInNodeSelectorTerms) */
const hasInvalidLabelValue = (spec: PersistentVolumeSpec | undefined): boolean =>
  (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).some(({ matchExpressions }) =>
    (matchExpressions ?? []).some(({ values }) => (values ?? []).some((value) => labelValue(value).length > 0)),
  );

function validateVolumeAttributesClassName({ volumeAttributesClassName: name, csi }: PersistentVolumeSpec, field: Field): void {
  if (name === undefined) return;
  const at = field.child('volumeAttributesClassName');
  if (name === '') at.required('an empty string is disallowed');
  else validateFormat(name, dnsSubdomain, at);
  if (!csi) field.child('csi').required('has to be specified when using volumeAttributesClassName');
}

/**
 * The volume of an attachment, for drivers that replaced old plugins. (ValidatePersistentVolumeSpec,
 * validateInlinePersistentVolumeSpec)
 */
export function validateInlinePersistentVolumeSpec(spec: PersistentVolumeSpec, field: Field): void {
  const forbid = (name: string, what = 'may not be specified'): void =>
    field.child(name).forbidden(`${what} in the context of inline volumes`);
  const { persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  if (spec.claimRef) forbid('claimRef');
  if (Object.keys(spec.capacity ?? {}).length > 0) forbid('capacity');
  if (!spec.csi) field.child('csi').required('has to be specified in the context of inline volumes');
  validateRequiredAccessModes(spec, field.child('accessModes'));
  if (policy && policy !== 'Retain') forbid('persistentVolumeReclaimPolicy', 'may only be Retain');
  if (spec.nodeAffinity) forbid('nodeAffinity');
  const { nodeAffinity: _, ...others } = spec;
  validatePersistentVolumeSource(others, '', field);
  validateRootPath(spec, field.child('persistentVolumeReclaimPolicy'));
  if (spec.storageClassName) forbid('storageClassName');
  if (volumeMode !== undefined && volumeMode !== 'Filesystem') {
    forbid('volumeMode', 'may not specify volumeMode other than Filesystem');
  }
}

function validateRequiredAccessModes({ accessModes }: PersistentVolumeSpec, field: Field): void {
  if (!accessModes?.length) field.required();
  validateAccessModes(accessModes, field);
}

function validateRootPath({ persistentVolumeReclaimPolicy: policy, hostPath }: PersistentVolumeSpec, field: Field): void {
  if (policy !== 'Recycle' || !hostPath || !isRootPath(hostPath.path ?? '')) return;
  field.forbidden("may not be 'recycle' for a hostPath mount of '/'");
}
