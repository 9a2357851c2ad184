import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateCSIDriverName } from '../storage.k8s.io/csi-driver.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { warningsOnWrite } from '../warnings.ts';
import { addNodeSelectorTermWarnings, validateNodeSelector } from './node-selector.ts';
import {
  accessModesText,
  addAnnotationWarning,
  storageClassAnnotation,
  useStorageClassName,
  validateAccessModes,
} from './persistent-volume-claim.ts';
import { addPersistentVolumeTypeWarnings } from './pod/volume-warnings.ts';
import { validateHostPathVolumeSource, validateNFSVolumeSource } from './pod/volumes.ts';
import { roundResourceList, validatePositiveQuantityValue } from './resource-list.ts';

type PersistentVolume = Unvalidated<core.PersistentVolume>;
type PersistentVolumeSpec = Unvalidated<core.PersistentVolumeSpec>;

export function roundCapacity(spec: PersistentVolumeSpec): void {
  roundResourceList(spec.capacity);
}

/** All other fields of a spec are sources. */
const fieldsBesideSource: ReadonlySet<string> = new Set<keyof core.PersistentVolumeSpec>([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

/** (ValidatePersistentVolume, ValidatePersistentVolumeSpec) */
export function validatePersistentVolume(volume: PersistentVolume, field: Field): void {
  const spec = volume.spec ?? {};
  const at = field.child('spec');
  if (!spec.accessModes?.length) at.child('accessModes').required();
  validateAccessModes(spec.accessModes ?? [], at.child('accessModes'));
  const { capacity = {}, nodeAffinity } = spec;
  const names = Object.keys(capacity);
  if (names.length === 0) at.child('capacity').required();
  if (!names.includes('storage') || names.length > 1) {
    at.child('capacity').notSupported(spec.capacity, ['storage']);
  }
  for (const name of names) validatePositiveQuantityValue(capacity[name], at.child('capacity').key(name));
  if (nodeAffinity) {
    const selector = at.child('nodeAffinity', 'required');
    if (nodeAffinity.required) validateNodeSelector(nodeAffinity.required, selector);
    else selector.required('must specify required node constraints');
  }
  validatePersistentVolumeSource(spec, at);
  if (spec.storageClassName) validateFormat(spec.storageClassName, dnsSubdomain, at.child('storageClassName'));
}

function validatePersistentVolumeSource(spec: PersistentVolumeSpec, field: Field): void {
  const [type, ...more] = Object.keys(sourceOf(spec));
  if (type === undefined) field.required('must specify a volume type');
  for (const another of more) field.child(another).forbidden('may not specify more than 1 volume type');
  const { hostPath, nfs, csi, local } = spec;
  if (type === 'hostPath' && hostPath) {
    validateHostPathVolumeSource(hostPath, field.child('hostPath'));
    if (/^\/+$/.test(hostPath.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle') {
      const detail = "may not be 'recycle' for a hostPath mount of '/'";
      field.child('persistentVolumeReclaimPolicy').forbidden(detail);
    }
  } else if (type === 'nfs' && nfs) validateNFSVolumeSource(nfs, field.child('nfs'));
  else if (type === 'csi' && csi) {
    validateCSIDriverName(csi.driver, field.child('csi', 'driver'));
    if (!csi.volumeHandle) field.child('csi', 'volumeHandle').required();
  } else if (type === 'local' && local) {
    if (!local.path) field.child('local', 'path').required();
    if (!spec.nodeAffinity) field.child('nodeAffinity').required('Local volume requires node affinity');
  }
}

/** (ValidatePersistentVolumeUpdate) */
export function validatePersistentVolumeUpdate(volume: PersistentVolume, old: PersistentVolume, field: Field): void {
  const source = sourceOf(volume.spec);
  const oldSource = sourceOf(old.spec);
  // the secret for expansion may be added
  if (source.csi && oldSource.csi && oldSource.csi.controllerExpandSecretRef === undefined) {
    source.csi = { ...source.csi, controllerExpandSecretRef: undefined };
  }
  if (!semanticDeepEqual(source, oldSource)) {
    field
      .child('spec', 'persistentvolumesource')
      .forbidden('spec.persistentvolumesource is immutable after creation\n');
  }
  validateImmutableField(volume.spec?.volumeMode, old.spec?.volumeMode, field.child('volumeMode'));
}

/** The fields of the spec that are sources, of which there should be one. */
const sourceOf = (spec: PersistentVolumeSpec | undefined): PersistentVolumeSpec =>
  Object.fromEntries(
    Object.entries(spec ?? {}).filter(([name, value]) => !fieldsBesideSource.has(name) && value !== undefined),
  );

const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options';
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

/** The status of volumes and claims. */
export const phaseOrTerminating = ({
  metadata,
  status,
}: Unvalidated<core.PersistentVolume | core.PersistentVolumeClaim>): string =>
  metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');

export const volumeAccessModes = ({ spec }: PersistentVolume): string => accessModesText(spec?.accessModes);
export const volumeCapacity = ({ spec }: PersistentVolume): string => spec?.capacity?.storage ?? '0';
export const volumeClaim = ({ spec }: PersistentVolume): string =>
  spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '';

/** Of volumes and claims. The annotation is older than the field. (GetPersistentVolumeClass) */
export const storageClassOf = ({
  metadata,
  spec,
}: Unvalidated<core.PersistentVolume | core.PersistentVolumeClaim>): string =>
  metadata?.annotations?.[storageClassAnnotation] ?? spec?.storageClassName ?? '';
