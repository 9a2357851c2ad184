import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { immutableText, validateImmutableEnum } from '../validation/fields.ts';
import { internalDiff, internalStruct, type Shape } from '../validation/internal-value.ts';
import { warningsOnWrite } from '../warnings.ts';
import { accessModesText } from './access-modes.ts';
import { addNodeSelectorTermWarnings } from './node-selector.ts';
import { addAnnotationWarning, useStorageClassName } from './persistent-volume-claim.ts';
import { sourceOf } from './persistent-volume-sources.ts';
import { validatePersistentVolumeSpec } from './persistent-volume-spec.ts';
import { addPersistentVolumeTypeWarnings } from './pod/volume-warnings.ts';
import { roundResourceList } from './resource-list.ts';
import { storageClassAnnotation } from './storage-class-annotation.ts';
import { persistentVolumeSource } from './volume-source-shapes.ts';

type PersistentVolume = Unvalidated<core.PersistentVolume>;
type PersistentVolumeSpec = Unvalidated<core.PersistentVolumeSpec>;

/** Inline volumes have no defaults. (SetDefaults_PersistentVolume) */
export function setPersistentVolumeDefaults(volume: PersistentVolume): void {
  volume.spec ??= {};
  volume.spec.persistentVolumeReclaimPolicy ||= 'Retain';
  volume.spec.volumeMode ??= 'Filesystem';
}

export function roundCapacity(spec: PersistentVolumeSpec): void {
  roundResourceList(spec.capacity);
}

/** (pkg/registry/core/persistentvolume/strategy.go) */
export const persistentVolumeStrategy: RESTStrategy = {
  returnDeletedObject: true,
  prepareForCreate(volume: PersistentVolume, { now }) {
    volume.status = { ...volume.status, lastPhaseTransitionTime: timeText(now) };
  },
  prepareForUpdate(volume: PersistentVolume, old: PersistentVolume, { part, now }) {
    if (part === 'status') setPhaseTransitionTime(volume, old, now);
  },
  validateCreate(volume: PersistentVolume, errors) {
    validatePersistentVolume(volume, undefined, Field.at(FieldPath.root, errors));
  },
  validateUpdate(volume: PersistentVolume, old: PersistentVolume, errors, { part }) {
    if (part === 'status') return;
    const field = Field.at(FieldPath.root, errors);
    const before = errors.length;
    validatePersistentVolume(volume, old, field);
    // upstream validates the spec again
    if (errors.length > before) validatePersistentVolumeSpec(volume, old, field.child('spec'));
    validatePersistentVolumeUpdate(volume, old, field);
  },
};

/** Sets the time of a changed phase, unless the writer sets it. (persistentvolumeStatusStrategy) */
function setPhaseTransitionTime(volume: PersistentVolume, old: PersistentVolume, now: number): void {
  volume.status ??= {};
  const { status } = volume;
  const before = old.status?.lastPhaseTransitionTime;
  const isSamePhase = (status.phase ?? '') === (old.status?.phase ?? '');
  if (status.lastPhaseTransitionTime && (isSamePhase || status.lastPhaseTransitionTime !== before)) return;
  const time = isSamePhase ? before : timeText(now);
  if (time !== undefined) status.lastPhaseTransitionTime = time;
}

/** (ValidatePersistentVolume, and pkg/volume/validation's) */
function validatePersistentVolume(volume: PersistentVolume, old: PersistentVolume | undefined, field: Field): void {
  validatePersistentVolumeSpec(volume, old, field.child('spec'));
  checkMountOption(volume, field.child('metadata', 'annotations'));
}

const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options';

/** Sources that forbid the annotation for mount options. (pkg/volume/validation, checkMountOption) */
const sourcesWithoutMountOptions = ['hostPath', 'flexVolume', 'fc', 'flocker', 'portworxVolume', 'scaleIO', 'local', 'storageos', 'csi'];

function checkMountOption({ metadata, spec }: PersistentVolume, field: Field): void {
  if (!Object.hasOwn(metadata?.annotations ?? {}, mountOptionsAnnotation)) return;
  if (!Object.keys(sourceOf(spec)).every((type) => sourcesWithoutMountOptions.includes(type))) return;
  field.child(mountOptionsAnnotation).forbidden('may not specify mount options for this volume type');
}

const nodeAffinity: Shape = {
  required: {
    nodeSelectorTerms: {
      matchExpressions: { key: '', operator: '', values: null },
      matchFields: { key: '', operator: '', values: null },
    },
  },
};

/** (ValidatePersistentVolumeUpdate) */
function validatePersistentVolumeUpdate(volume: PersistentVolume, old: PersistentVolume, field: Field): void {
  const spec = volume.spec ?? {};
  const oldSpec = old.spec ?? {};
  const source = sourceOf(spec);
  // the secret for expansion may be added
  if (source.csi && oldSpec.csi && oldSpec.csi.controllerExpandSecretRef === undefined) {
    const { controllerExpandSecretRef: _, ...csi } = source.csi;
    source.csi = csi;
  }
  if (!equalPruned(source, sourceOf(oldSpec))) {
    const diff = internalDiff(sourceOf(oldSpec), source, persistentVolumeSource);
    field.child('spec', 'persistentvolumesource').forbidden(`spec.persistentvolumesource is immutable after creation\n${diff}`);
  }
  validateImmutableEnum(spec.volumeMode, oldSpec.volumeMode, field.child('volumeMode'));
  if (oldSpec.nodeAffinity && !equalPruned(spec.nodeAffinity, withNewLabels(oldSpec, spec))) {
    const value = spec.nodeAffinity && internalStruct(spec.nodeAffinity, nodeAffinity);
    field.child('nodeAffinity').invalid(value, `${immutableText}, except for updating from beta label to GA`);
  }
  if (oldSpec.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    field.child('spec', 'volumeAttributesClassName').forbidden('update from non-nil value to nil is forbidden');
  }
}

const newLabels: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
]);

/**
 * Returns the old affinity, with deprecated labels replaced by the new labels of the new affinity.
 * (validatePvNodeAffinity)
 */
function withNewLabels(old: PersistentVolumeSpec, now: PersistentVolumeSpec): PersistentVolumeSpec['nodeAffinity'] {
  const terms = now.nodeAffinity?.required?.nodeSelectorTerms;
  const nodeSelectorTerms = (old.nodeAffinity?.required?.nodeSelectorTerms ?? []).map((term, index) => ({
    ...term,
    matchExpressions: (term.matchExpressions ?? []).map((requirement, at) => {
      const key = terms?.[index]?.matchExpressions?.[at]?.key;
      return key !== undefined && newLabels.get(requirement.key ?? '') === key ? { ...requirement, key } : requirement;
    }),
  }));
  return { required: { nodeSelectorTerms } };
}

const useMountOptions = 'deprecated since v1.31; use "mountOptions" attribute instead';
/** (pkg/api/persistentvolume/util.go) */
export const persistentVolumeWarnings = warningsOnWrite(({ metadata, spec = {} }: PersistentVolume) => {
  const warnings: string[] = [];
  addAnnotationWarning(metadata, storageClassAnnotation, useStorageClassName, warnings);
  addAnnotationWarning(metadata, mountOptionsAnnotation, useMountOptions, warnings);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const advice = 'Instead, the recommended approach is to use dynamic provisioning.';
    warnings.push(`spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. ${advice}`);
  }
  for (const [index, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    addNodeSelectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, false, warnings);
  }
  addPersistentVolumeTypeWarnings(spec, warnings);
  return warnings;
});

/** Returns the status column of volumes and claims. */
export const phaseOrTerminating = ({ metadata, status }: Unvalidated<core.PersistentVolume | core.PersistentVolumeClaim>): string =>
  metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');

export const volumeAccessModes = ({ spec }: PersistentVolume): string => accessModesText(spec?.accessModes);
export const volumeCapacity = ({ spec }: PersistentVolume): string => spec?.capacity?.storage ?? '0';
export const volumeClaim = ({ spec }: PersistentVolume): string =>
  spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '';

/** Returns the class of a volume or claim. The annotation is older than the field. (GetPersistentVolumeClass) */
export const storageClassOf = ({ metadata, spec }: Unvalidated<core.PersistentVolume | core.PersistentVolumeClaim>): string =>
  metadata?.annotations?.[storageClassAnnotation] ?? spec?.storageClassName ?? '';
