import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat, validateRequiredFormat } from '../validation/fields.ts';
import { validateCSIDriverName } from './csi-driver-name.ts';
import { validateISCSIPersistentVolumeSource } from './iscsi.ts';
import * as sources from './volume-sources.ts';

/** Sources of persistent volumes. (pkg/apis/core/validation) */

type PersistentVolumeSpec = Unvalidated<core.PersistentVolumeSpec>;

/** The sources in upstream's order. With two sources, the later one is reported. */
const sourceTypes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly (keyof core.PersistentVolumeSpec)[];

type SourceType = (typeof sourceTypes)[number];
type Source<Type extends SourceType> = NonNullable<PersistentVolumeSpec[Type]>;

/** Returns the members of the spec that are sources. A valid spec has one. */
export const sourceOf = (spec: PersistentVolumeSpec | undefined): PersistentVolumeSpec =>
  Object.fromEntries(sourceTypes.flatMap((type) => (spec?.[type] === undefined ? [] : [[type, spec[type]]])));

/**
 * A spec has exactly one source. (part of ValidatePersistentVolumeSpec)
 *
 * @param name of the persistent volume; "" within another object
 */
export function validatePersistentVolumeSource(spec: PersistentVolumeSpec, name: string, field: Field): void {
  let hasSource = false;
  for (const type of sourceTypes) {
    if (spec[type] === undefined) continue;
    // upstream accepts a flex volume beside any other source
    if (!hasSource || type === 'flexVolume') validateSourceOfType(type, spec, name, field);
    else field.child(type === 'cephfs' ? 'cephFS' : type).forbidden(sources.oneTypeText);
    hasSource = true;
  }
  if (!hasSource) field.required(sources.typeRequiredText);
}

function validateSourceOfType<Type extends SourceType>(
  type: Type,
  spec: PersistentVolumeSpec & Pick<PersistentVolumeSpec, Type>,
  name: string,
  field: Field,
): void {
  const source: PersistentVolumeSpec[Type] = spec[type];
  if (!source) return;
  sourceRules[type](source, field.child(type === 'gcePersistentDisk' ? 'persistentDisk' : type), name);
  if (type === 'local' && !spec.nodeAffinity) {
    field.child('nodeAffinity').required('Local volume requires node affinity');
  }
}

type Rule<Type extends SourceType> = (source: Source<Type>, field: Field, name: string) => void;

const sourceRules: { readonly [Type in SourceType]: Rule<Type> } = {
  hostPath: sources.validateHostPathVolumeSource,
  gcePersistentDisk: sources.validateGCEPersistentDiskVolumeSource,
  awsElasticBlockStore: sources.validateAWSElasticBlockStoreVolumeSource,
  glusterfs: validateGlusterfsPersistentVolumeSource,
  flocker: sources.validateFlockerVolumeSource,
  nfs: sources.validateNFSVolumeSource,
  rbd: sources.validateRBDVolumeSource,
  quobyte: sources.validateQuobyteVolumeSource,
  cephfs: sources.validateCephFSVolumeSource,
  iscsi: (source, field, name) => validateISCSIPersistentVolumeSource(source, name, field),
  cinder: validateCinderPersistentVolumeSource,
  fc: sources.validateFCVolumeSource,
  flexVolume: sources.validateFlexVolumeSource,
  azureFile: validateAzureFilePV,
  vsphereVolume: sources.validateVsphereVolumeSource,
  photonPersistentDisk: sources.validatePhotonPersistentDiskVolumeSource,
  portworxVolume: sources.validatePortworxVolumeSource,
  azureDisk: sources.validateAzureDisk,
  scaleIO: sources.validateScaleIOVolumeSource,
  local: validateLocalVolumeSource,
  storageos: validateStorageOSPersistentVolumeSource,
  csi: validateCSIPersistentVolumeSource,
};

/** (validateGlusterfsPersistentVolumeSource) */
function validateGlusterfsPersistentVolumeSource(source: Source<'glusterfs'>, field: Field): void {
  sources.validateGlusterfsVolumeSource(source, field);
  const { endpointsNamespace } = source;
  const at = field.child('endpointsNamespace');
  if (endpointsNamespace === '') {
    at.invalid('', 'if the endpointnamespace is set, it must be a valid namespace name');
  } else if (endpointsNamespace !== undefined) validateFormat(endpointsNamespace, dnsLabel, at);
}

/** (validateCinderPersistentVolumeSource) */
function validateCinderPersistentVolumeSource({ volumeID, secretRef }: Source<'cinder'>, field: Field): void {
  sources.validatePortworxVolumeSource(defined({ volumeID }), field);
  requireSecretReference(secretRef, field.child('secretRef'));
}

/** (validateAzureFilePV) */
function validateAzureFilePV(source: Source<'azureFile'>, field: Field): void {
  sources.validateAzureFile(source, field);
  if (source.secretNamespace === '') field.child('secretNamespace').required();
}

/** (validateLocalVolumeSource) */
function validateLocalVolumeSource({ path }: Source<'local'>, field: Field): void {
  if (!path) field.child('path').required();
  else sources.validatePathNoBacksteps(path, field.child('path'));
}

/** (validateStorageOSPersistentVolumeSource) */
function validateStorageOSPersistentVolumeSource(source: Source<'storageos'>, field: Field): void {
  sources.validateStorageOSNames(source, field);
  requireSecretReference(source.secretRef, field.child('secretRef'));
}

type SecretReference = Unvalidated<core.SecretReference>;

function requireSecretReference(reference: SecretReference | undefined, field: Field): void {
  if (!reference) return;
  if (!reference.name) field.child('name').required();
  if (!reference.namespace) field.child('namespace').required();
}

/** The secrets of a driver that are checked. Others are not. */
const checkedSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const satisfies readonly (keyof core.CSIPersistentVolumeSource)[];

/** (validateCSIPersistentVolumeSource) */
function validateCSIPersistentVolumeSource(source: Source<'csi'>, field: Field): void {
  validateCSIDriverName(source.driver, field.child('driver'));
  if (!source.volumeHandle) field.child('volumeHandle').required();
  for (const name of checkedSecrets) {
    const secret = source[name];
    if (secret) validatePVSecretReference(secret, field.child(name));
  }
}

/** (validatePVSecretReference) */
function validatePVSecretReference({ name, namespace }: SecretReference, field: Field): void {
  validateRequiredFormat(name, dnsSubdomain, field.child('name'));
  validateRequiredFormat(namespace, dnsLabel, field.child('namespace'));
}
