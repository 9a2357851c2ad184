import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { unifiedDiff } from '../../machinery/go/unified-diff.ts';
import { prettyJson } from '../../machinery/go/value.ts';
import { defined, setOrDelete } from '../../machinery/json/defined.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import { memberOrDropped, withDropped } from '../../machinery/prune/dropped-values.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { immutableText, validateFormat, validateImmutableEnum } from '../validation/fields.ts';
import { internal, internalDiff, type Shape } from '../validation/internal-value.ts';
import {
  equalResourceLists,
  isNativeResource,
  quantityOf,
  type ResourceList,
  sortedResourceList,
  validateBasicResource,
  validateResourceQuantityValue,
} from './resource-list.ts';
import { storageClassAnnotation } from './storage-class-annotation.ts';

/** Updates of claims and of their status. (pkg/apis/core/validation) */

type PersistentVolumeClaim = Unvalidated<core.PersistentVolumeClaim>;
type PersistentVolumeClaimSpec = Unvalidated<core.PersistentVolumeClaimSpec>;

/**
 * The volume and the storage class may be set once. A bound claim may change its VolumeAttributesClass, and its size,
 * but not below its capacity. (ValidatePersistentVolumeClaimUpdate)
 */
export function validatePersistentVolumeClaimUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, field: Field): void {
  const { spec = {} } = claim;
  const { spec: oldSpec = {} } = old;
  const at = field.child('spec');
  if (!isUpgradeFromAnnotation(claim, old)) {
    const name = classAnnotationOf(claim) ?? '';
    if (name !== (classAnnotationOf(old) ?? '')) {
      field.child('metadata', 'annotations', storageClassAnnotation).invalid(name, immutableText);
    }
  }
  const now = withOldMutableFields(claim, old);
  // the volume may be set once
  const before = defined({ ...oldSpec, volumeName: oldSpec.volumeName || spec.volumeName });
  if (!equalSpecs(now, before)) {
    const mutable = 'resources.requests and volumeAttributesClassName for bound claims';
    at.forbidden(`spec is immutable after creation except ${mutable}\n${diffOf(before, now)}`);
  }
  validateSizeUpdate(claim, old, at.child('resources', 'requests', 'storage'));
  validateImmutableEnum(spec.volumeMode, oldSpec.volumeMode, field.child('volumeMode'));
  if (spec.volumeAttributesClassName || old.status?.currentVolumeAttributesClassName === undefined) return;
  if (spec.volumeAttributesClassName === oldSpec.volumeAttributesClassName) return;
  const what = spec.volumeAttributesClassName === undefined ? 'nil' : 'empty string';
  at.child('volumeAttributesClassName').forbidden(`update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`);
}

const classAnnotationOf = ({ metadata }: PersistentVolumeClaim): string | undefined => metadata?.annotations?.[storageClassAnnotation];

/** Reports whether the class moves from the annotation to the spec. (validateStorageClassUpgradeFromAnnotation) */
function isUpgradeFromAnnotation(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const name = classAnnotationOf(old);
  if (name === undefined || old.spec?.storageClassName !== undefined) return false;
  return claim.spec?.storageClassName === name && (classAnnotationOf(claim) ?? name) === name;
}

/** Reports whether a spec without a class gets one. (validateStorageClassUpgradeFromNil) */
function isUpgradeFromNil(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const name = claim.spec?.storageClassName;
  return name !== undefined && old.spec?.storageClassName === undefined && (classAnnotationOf(old) ?? name) === name;
}

function withOldMutableFields(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): PersistentVolumeClaimSpec {
  const { spec: oldSpec = {} } = old;
  const spec = withDropped({ ...claim.spec }, claim.spec ?? {});
  // a class that moves from the annotation is also new in the spec
  if (isUpgradeFromNil(claim, old)) delete spec.storageClassName;
  if (claim.status?.phase !== 'Bound') return spec;
  const storage = oldSpec.resources?.requests?.storage ?? '0';
  const requests = memberOrDropped(spec.resources ?? {}, 'requests') as ResourceList | undefined;
  if (requests) spec.resources = { ...spec.resources, requests: { ...requests, storage } };
  setOrDelete(spec, 'volumeAttributesClassName', oldSpec.volumeAttributesClassName);
  return spec;
}

const source: Shape = { apiGroup: null, kind: '', name: '' };
const specShape: Shape = {
  accessModes: null,
  selector: null,
  resources: [{ limits: null, requests: null }],
  volumeName: '',
  storageClassName: null,
  volumeMode: null,
  dataSource: source,
  dataSourceRef: { ...source, namespace: null },
  volumeAttributesClassName: null,
};

const diffOf = (old: PersistentVolumeClaimSpec, now: PersistentVolumeClaimSpec): string =>
  internalDiff(withDropped(withSortedLists(old), old), withDropped(withSortedLists(now), now), specShape);

function withSortedLists({ resources = {}, ...spec }: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const sorted = (name: 'limits' | 'requests') => sortedResourceList(memberOrDropped(resources, name) as ResourceList | undefined);
  return { ...spec, resources: defined({ limits: sorted('limits'), requests: sorted('requests') }) };
}

/** Unlike an absent pointer, a pointer to "" counts as a value. */
function equalSpecs(a: PersistentVolumeClaimSpec, b: PersistentVolumeClaimSpec): boolean {
  const { resources, storageClassName, volumeAttributesClassName, ...rest } = a;
  const { resources: _, storageClassName: __, volumeAttributesClassName: ___, ...restOfB } = b;
  return (
    storageClassName === b.storageClassName &&
    volumeAttributesClassName === b.volumeAttributesClassName &&
    equalResourceLists(resources?.requests, b.resources?.requests) &&
    equalResourceLists(resources?.limits, b.resources?.limits) &&
    equalPruned(rest, restOfB)
  );
}

/** A request may shrink, but only to a size above the volume's capacity. (KEP-1790) */
function validateSizeUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, field: Field): void {
  const size = quantityOf(claim.spec?.resources?.requests?.storage ?? '0');
  if (compareQuantities(size, quantityOf(old.spec?.resources?.requests?.storage ?? '0')) >= 0) return;
  if (compareQuantities(size, quantityOf(old.status?.capacity?.storage ?? '0')) > 0) return;
  field.forbidden('field can not be less than status.capacity');
}

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizePending',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
].sort();

/** (ValidatePersistentVolumeClaimStatusUpdate) */
export function validatePersistentVolumeClaimStatusUpdate({ status = {} }: PersistentVolumeClaim, field: Field): void {
  const { capacity, allocatedResourceStatuses, allocatedResources } = status;
  for (const [name, amount] of Object.entries(capacity ?? {})) {
    validateBasicResource(amount, field.child('capacity').key(name));
  }
  const statuses = field.child('allocatedResourceStatuses');
  for (const [name, value] of Object.entries(allocatedResourceStatuses ?? {})) {
    validatePersistentVolumeClaimResourceKey(name, statuses);
    // as upstream, the error shows the name instead of the value
    if (!resizeStatuses.includes(value)) statuses.notSupported(name, resizeStatuses);
  }
  const allocated = field.child('allocatedResources');
  for (const [name, amount] of Object.entries(allocatedResources ?? {})) {
    if (!validatePersistentVolumeClaimResourceKey(name, allocated)) continue;
    const at = allocated.key(name);
    if (validateBasicResource(amount, at)) validateResourceQuantityValue('storage', amount, at);
  }
}

/** Among Kubernetes' own names, a claim may only have storage. Returns false for a wrong name. */
function validatePersistentVolumeClaimResourceKey(name: string, field: Field): boolean {
  const before = field.errors.length;
  validateFormat(name, qualifiedName, field);
  if (field.errors.length === before && isNativeResource(name) && name !== 'storage') {
    field.notSupported(name, ['storage']);
  }
  return field.errors.length === before;
}

const statusShape: Shape = {
  phase: '',
  accessModes: null,
  capacity: null,
  conditions: null,
  allocatedResources: null,
  allocatedResourceStatuses: null,
  currentVolumeAttributesClassName: null,
  modifyVolumeStatus: { targetVolumeAttributesClassName: '', status: '' },
};

const metadataNames = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
] as const;

/** Returns the changes of a claim for a message. Unlike spec and status, the metadata has JSON names, and no name of its own. */
export const claimDiff = (old: PersistentVolumeClaim, now: PersistentVolumeClaim): string =>
  unifiedDiff(prettyJson(internalClaim(old)), prettyJson(internalClaim(now)));

const internalClaim = ({ metadata = {}, spec = {}, status = {} }: PersistentVolumeClaim): object => ({
  ...Object.fromEntries(metadataNames.map((name) => [name, metadata[name]])),
  Spec: internal(withSortedLists(spec), specShape),
  Status: internal(status, statusShape),
});
