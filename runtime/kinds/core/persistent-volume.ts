import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateCSIDriverName } from '../storage.k8s.io/csi-driver.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';
import { addNodeSelectorTermWarnings, validateNodeSelector } from './node-selector.ts';
import {
  accessModesText,
  addAnnotationWarning,
  storageClassAnnotation,
  useClassName,
  validateAccessModes,
} from './persistent-volume-claim.ts';
import { addPersistentVolumeTypeWarnings } from './pod/volume-warnings.ts';
import { validateHostPathVolumeSource, validateNFSVolumeSource } from './pod/volumes.ts';
import { roundResourceList, validatePositiveQuantity } from './resource-list.ts';

export function roundCapacity(spec: Part): void {
  roundResourceList(spec.capacity);
}

/** What a persistent volume is not: the rest of its spec is its source. */
const notSources: ReadonlySet<string> = new Set([
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

/** (ValidatePersistentVolumeSpec) */
export function validatePersistentVolume(volume: Part, field: Field): void {
  const spec = volume.spec ?? {};
  const at = field.child('spec');
  if (!spec.accessModes?.length) at.child('accessModes').required();
  validateAccessModes(spec.accessModes ?? [], at.child('accessModes'));
  const names = Object.keys(spec.capacity ?? {});
  if (names.length === 0) at.child('capacity').required();
  if (!names.includes('storage') || names.length > 1) {
    at.child('capacity').notSupported(spec.capacity, ['storage']);
  }
  for (const name of names) validatePositiveQuantity(spec.capacity[name], at.child('capacity').key(name));
  if (spec.nodeAffinity) {
    const required_ = at.child('nodeAffinity', 'required');
    if (spec.nodeAffinity.required) validateNodeSelector(spec.nodeAffinity.required, required_);
    else required_.required('must specify required node constraints');
  }
  validatePersistentVolumeSource(spec, at);
  if (spec.storageClassName) validateFormat(spec.storageClassName, dnsSubdomain, at.child('storageClassName'));
}

function validatePersistentVolumeSource(spec: Part, field: Field): void {
  const given = Object.keys(spec).filter((name) => !notSources.has(name) && spec[name] !== undefined);
  if (given.length === 0) field.required('must specify a volume type');
  for (const name of given.slice(1)) field.child(name).forbidden('may not specify more than 1 volume type');
  const [name] = given;
  if (name === 'hostPath') {
    validateHostPathVolumeSource(spec.hostPath, field.child('hostPath'));
    if (/^\/+$/.test(spec.hostPath.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle') {
      const detail = "may not be 'recycle' for a hostPath mount of '/'";
      field.child('persistentVolumeReclaimPolicy').forbidden(detail);
    }
  } else if (name === 'nfs') validateNFSVolumeSource(spec.nfs, field.child('nfs'));
  else if (name === 'csi') {
    validateCSIDriverName(spec.csi.driver, field.child('csi', 'driver'));
    if (!spec.csi.volumeHandle) field.child('csi', 'volumeHandle').required();
  } else if (name === 'local') {
    if (!spec.local.path) field.child('local', 'path').required();
    if (!spec.nodeAffinity) field.child('nodeAffinity').required('Local volume requires node affinity');
  }
}

/** (ValidatePersistentVolumeUpdate) */
export function validatePersistentVolumeUpdate(volume: Part, old: Part, field: Field): void {
  const sourceOf = ({ spec = {} }: Part): Part =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !notSources.has(name)));
  const source = sourceOf(volume);
  const before = sourceOf(old);
  if (source.csi && before.csi && before.csi.controllerExpandSecretRef === undefined) {
    source.csi = { ...source.csi, controllerExpandSecretRef: undefined };
  }
  if (!semanticDeepEqual(source, before)) {
    const detail = 'spec.persistentvolumesource is immutable after creation\n';
    field.child('spec', 'persistentvolumesource').forbidden(detail);
  }
  validateImmutableField(volume.spec?.volumeMode, old.spec?.volumeMode, field.child('volumeMode'));
}

const optionsAnnotation = 'volume.beta.kubernetes.io/mount-options';
const useOptions = 'deprecated since v1.31; use "mountOptions" attribute instead';

/** (pkg/api/persistentvolume/util.go) */
export const persistentVolumeWarnings: WarningStrategy = warningsOnWrite(({ metadata, spec = {} }) => {
  const warnings: string[] = [];
  addAnnotationWarning(metadata, storageClassAnnotation, useClassName, warnings);
  addAnnotationWarning(metadata, optionsAnnotation, useOptions, warnings);
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

/** The phase of a volume or claim, unless it is on its way out. */
export const phaseOrTerminating = ({ metadata, status }: KubeObject): string =>
  metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');

export const volumeAccessModes = ({ spec }: KubeObject): string => accessModesText(spec?.accessModes);
export const volumeCapacity = ({ spec }: KubeObject): string => spec?.capacity?.storage ?? '0';
export const volumeClaim = ({ spec }: KubeObject): string =>
  spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '';

/** The class of a volume or claim; the annotation is what came before the field. */
export const storageClassOf = ({ metadata, spec }: KubeObject): string =>
  metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
