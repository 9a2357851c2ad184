import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { memberOf } from '../../../machinery/json/values.ts';
import { compareQuantities } from '../../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { validateCSIDriverName } from '../../storage.k8s.io/csi-driver.ts';
import { validateEnum, validateFormat, validateRequiredFormat } from '../../validation/fields.ts';
import { validateLabels } from '../../validation/labels.ts';
import { validatePersistentVolumeClaimSpec } from '../persistent-volume-claim.ts';
import { quantityOf } from '../resource-list.ts';
import { validateDownwardAPIVolumeFile } from './downward-api.ts';

/** Volumes of pods. (pkg/apis/core/validation) */

type Volume = Unvalidated<core.Volume>;
type SourceType = Exclude<keyof core.Volume, 'name'>;
type Source<Type extends SourceType> = NonNullable<Volume[Type]>;

/** (ValidateVolumes) */
export function validateVolumes(volumes: readonly Volume[], field: Field): void {
  const seen = new Set<string | undefined>();
  for (const [index, volume] of volumes.entries()) {
    const at = field.index(index);
    validateVolumeSource(volume, at);
    const { name } = volume;
    if (!name) at.child('name').required();
    else if (dnsLabel(name).length > 0) validateFormat(name, dnsLabel, at.child('name'));
    else if (seen.has(name)) at.child('name').duplicate(name);
    seen.add(name);
  }
}

/** (validateVolumeSource) */
function validateVolumeSource(volume: Volume, field: Field): void {
  const types = sourceTypesOf(volume);
  if (types.length === 0) field.required('must specify a volume type');
  for (const [index, type] of types.entries()) {
    if (index === 0) validateSourceOfType(type, volume, field.child(type));
    else field.child(type).forbidden('may not specify more than 1 volume type');
  }
}

function validateSourceOfType<Type extends SourceType>(type: Type, volume: Pick<Volume, Type>, field: Field): void {
  const source: Volume[Type] = volume[type];
  if (source) sourceRules[type](source, field);
}

/** A rule that the members are neither absent nor empty. */
const requireMembers =
  (...names: readonly string[]) =>
  (source: object, field: Field): void => {
    for (const name of names) {
      const value = memberOf(source, name);
      if (typeof value === 'string' || Array.isArray(value) ? value.length === 0 : true) field.child(name).required();
    }
  };

/** In upstream's order, which decides which of two sources is one too many. */
const sourceRules: { readonly [Type in SourceType]: (source: Source<Type>, field: Field) => void } = {
  emptyDir: validateEmptyDirVolumeSource,
  hostPath: validateHostPathVolumeSource,
  gitRepo: requireMembers('repository'),
  gcePersistentDisk: requireMembers('pdName'),
  awsElasticBlockStore: requireMembers('volumeID'),
  secret: validateSecretVolumeSource,
  nfs: validateNFSVolumeSource,
  iscsi: requireMembers('targetPortal', 'iqn'),
  glusterfs: requireMembers('endpoints', 'path'),
  flocker: () => undefined,
  persistentVolumeClaim: requireMembers('claimName'),
  rbd: requireMembers('monitors', 'image'),
  cinder: requireMembers('volumeID'),
  cephfs: requireMembers('monitors'),
  quobyte: requireMembers('volume'),
  downwardAPI: validateDownwardAPIVolumeSource,
  fc: () => undefined,
  flexVolume: requireMembers('driver'),
  configMap: validateConfigMapVolumeSource,
  azureFile: requireMembers('secretName', 'shareName'),
  vsphereVolume: requireMembers('volumePath'),
  photonPersistentDisk: requireMembers('pdID'),
  portworxVolume: requireMembers('volumeID'),
  azureDisk: requireMembers('diskName', 'diskURI'),
  storageos: () => undefined,
  projected: validateProjectedVolumeSource,
  scaleIO: requireMembers('gateway', 'system', 'volumeName'),
  csi: validateCSIVolumeSource,
  ephemeral: validateEphemeralVolumeSource,
  image: validateImageVolumeSource,
};
const sourceTypes = Object.keys(sourceRules) as SourceType[];

/** In the order of the rules. Asks for what the volume has, since asking for each type would take longer. */
function sourceTypesOf(volume: Volume): SourceType[] {
  const types = (Object.keys(volume) as (keyof Volume)[]).filter(
    (key): key is SourceType => key in sourceRules && volume[key] !== undefined,
  );
  return types.length < 2 ? types : types.sort((a, b) => sourceTypes.indexOf(a) - sourceTypes.indexOf(b));
}

/** (validateEmptyDirVolumeSource) */
function validateEmptyDirVolumeSource({ sizeLimit }: Source<'emptyDir'>, field: Field): void {
  if (sizeLimit !== undefined && compareQuantities(quantityOf(sizeLimit), quantityOf('0')) < 0) {
    field.child('sizeLimit').forbidden('SizeLimit field must be a valid resource quantity');
  }
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** (validateHostPathVolumeSource) */
export function validateHostPathVolumeSource({ path, type = '' }: Source<'hostPath'>, field: Field): void {
  if (!path) field.child('path').required();
  else {
    validatePathNoBacksteps(path, field.child('path'));
    validateEnum(type, hostPathTypes, field.child('type'));
  }
}

/** (validatePathNoBacksteps) */
export function validatePathNoBacksteps(path: string, field: Field): void {
  if (path.includes('..') && path.split('/').includes('..')) field.invalid(path, "must not contain '..'");
}

/** (validateLocalDescendingPath) */
export function validateLocalDescendingPath(path: string, field: Field): void {
  if (path.startsWith('/')) field.invalid(path, 'must be a relative path');
  validatePathNoBacksteps(path, field);
}

/** (validateLocalNonReservedPath) */
function validateLocalNonReservedPath(path = '', field: Field): void {
  if (path === '') field.required();
  validateLocalDescendingPath(path, field);
  if (path.startsWith('..') && !path.split('/').includes('..')) field.invalid(path, "must not start with '..'");
}

function validateFileMode(mode: number | undefined, field: Field): void {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return;
  field.invalid(mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

/** (validateKeyToPath) */
function validateKeysToPaths(items: readonly Unvalidated<core.KeyToPath>[], field: Field): void {
  for (const [index, { key, path, mode }] of items.entries()) {
    const at = field.index(index);
    if (!key) at.child('key').required();
    validateLocalNonReservedPath(path, at.child('path'));
    validateFileMode(mode, at.child('mode'));
  }
}

/** (validateSecretVolumeSource) */
function validateSecretVolumeSource({ secretName, defaultMode, items }: Source<'secret'>, field: Field): void {
  if (!secretName) field.child('secretName').required();
  validateFileMode(defaultMode, field.child('defaultMode'));
  validateKeysToPaths(items ?? [], field.child('items'));
}

/** (validateConfigMapVolumeSource) */
function validateConfigMapVolumeSource({ name, defaultMode, items }: Source<'configMap'>, field: Field): void {
  if (!name) field.child('name').required();
  validateFileMode(defaultMode, field.child('defaultMode'));
  validateKeysToPaths(items ?? [], field.child('items'));
}

/** (validateNFSVolumeSource) */
export function validateNFSVolumeSource({ server, path = '' }: Source<'nfs'>, field: Field): void {
  if (!server) field.child('server').required();
  if (!path) field.child('path').required();
  if (!path.startsWith('/')) field.child('path').invalid(path, 'must be an absolute path');
}

/** (validateDownwardAPIVolumeSource) */
function validateDownwardAPIVolumeSource({ defaultMode, items }: Source<'downwardAPI'>, field: Field): void {
  validateFileMode(defaultMode, field.child('defaultMode'));
  // as upstream, errors name the volume and not the item
  for (const file of items ?? []) validateDownwardAPIFile(file, field);
}

function validateDownwardAPIFile(file: Unvalidated<core.DownwardAPIVolumeFile>, field: Field): void {
  validateLocalNonReservedPath(file.path, field.child('path'));
  validateDownwardAPIVolumeFile(file, field);
  validateFileMode(file.mode, field.child('mode'));
}

const projectionTypes = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const satisfies readonly (keyof core.VolumeProjection)[];

/** (validateProjectedVolumeSource) */
function validateProjectedVolumeSource({ defaultMode, sources }: Source<'projected'>, field: Field): void {
  validateFileMode(defaultMode, field.child('defaultMode'));
  const paths = new Set<string>();
  const addPath = (path: string | undefined, owner: string): void => {
    if (!path) return;
    if (paths.has(path)) field.invalid(owner, 'conflicting duplicate paths');
    paths.add(path);
  };
  for (const [index, projection] of (sources ?? []).entries()) {
    const at = field.child('sources').index(index);
    for (const type of ['secret', 'configMap'] as const) {
      const source = projection[type];
      if (!source) continue;
      if (!source.name) at.child(type, 'name').required();
      validateKeysToPaths(source.items ?? [], at.child(type, 'items'));
      for (const item of source.items ?? []) addPath(item.path, source.name ?? '');
    }
    for (const file of projection.downwardAPI?.items ?? []) {
      validateDownwardAPIFile(file, at.child('downwardAPI'));
      addPath(file.path, file.path ?? '');
    }
    if (projection.serviceAccountToken) {
      validateTokenExpiration(projection.serviceAccountToken, at.child('serviceAccountToken', 'expirationSeconds'));
      // as upstream, errors of the path name the volume
      validateLocalNonReservedPath(projection.serviceAccountToken.path, field.child('path'));
    }
    if (projectionTypes.filter((type) => projection[type] !== undefined).length > 1) {
      at.forbidden('may not specify more than 1 volume type per source');
    }
  }
}

function validateTokenExpiration(
  { expirationSeconds = 0 }: Unvalidated<core.ServiceAccountTokenProjection>,
  field: Field,
): void {
  if (expirationSeconds < 600) {
    field.invalid(expirationSeconds, 'may not specify a duration less than 10 minutes');
  }
  if (expirationSeconds > 2 ** 32) {
    field.invalid(expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  }
}

/** (validateCSIVolumeSource) */
function validateCSIVolumeSource({ driver, nodePublishSecretRef }: Source<'csi'>, field: Field): void {
  validateCSIDriverName(driver, field.child('driver'));
  if (!nodePublishSecretRef) return;
  validateRequiredFormat(nodePublishSecretRef.name, dnsSubdomain, field.child('nodePublishSecretRef', 'name'));
}

/** (validateImageVolumeSource) */
function validateImageVolumeSource({ pullPolicy }: Source<'image'>, field: Field): void {
  if (pullPolicy) validateEnum(pullPolicy, ['Always', 'IfNotPresent', 'Never'], field.child('pullPolicy'));
}

/** (validateEphemeralVolumeSource) */
function validateEphemeralVolumeSource({ volumeClaimTemplate: template }: Source<'ephemeral'>, field: Field): void {
  const at = field.child('volumeClaimTemplate');
  if (!template) {
    at.required();
    return;
  }
  validateLabels(template.metadata?.labels, at.child('metadata', 'labels'));
  validatePersistentVolumeClaimSpec(template.spec ?? {}, at.child('spec'));
}
