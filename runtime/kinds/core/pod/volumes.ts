import type { Part } from '../../../machinery/object.ts';
import { compareQuantities } from '../../../machinery/scalars/quantity.ts';
import { duplicate, forbidden, invalid, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { validateCSIDriverName } from '../../storage.k8s.io/csi-driver.ts';
import { type Errors, validateEnum, validateFormat, validateRequiredFormat } from '../../validation/fields.ts';
import { validateLabels } from '../../validation/labels.ts';
import { validatePersistentVolumeClaimSpec } from '../persistent-volume-claim.ts';
import { quantityOf } from '../resource-list.ts';
import { validateDownwardAPIVolumeFile } from './environment.ts';

const fileModeText = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Volumes of a pod: names, one source each, and what each source must have. (ValidateVolumes) */
export function validateVolumes(volumes: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    validateVolumeSource(volume, at, errors);
    const { name } = volume;
    if (!name) errors.push(required(at.child('name')));
    else if (dnsLabel(name).length > 0) validateFormat(name, dnsLabel, at.child('name'), errors);
    else if (seen.has(name)) errors.push(duplicate(at.child('name'), name));
    seen.add(name);
  }
}

type SourceCheck = (source: Part, path: FieldPath, errors: Errors) => void;

/** The fields that a source must have. */
const mustHave =
  (...names: readonly string[]): SourceCheck =>
  (source, path, errors) => {
    for (const name of names) if (!source[name]?.length) errors.push(required(path.child(name)));
  };

/** Sources in the order in which upstream counts them. */
const sources: readonly (readonly [name: string, check: SourceCheck])[] = [
  ['emptyDir', validateEmptyDirVolumeSource],
  ['hostPath', validateHostPathVolumeSource],
  ['gitRepo', mustHave('repository')],
  ['gcePersistentDisk', mustHave('pdName')],
  ['awsElasticBlockStore', mustHave('volumeID')],
  ['secret', validateSecretVolumeSource],
  ['nfs', validateNFSVolumeSource],
  ['iscsi', mustHave('targetPortal', 'iqn')],
  ['glusterfs', mustHave('endpoints', 'path')],
  ['flocker', () => undefined],
  ['persistentVolumeClaim', mustHave('claimName')],
  ['rbd', mustHave('monitors', 'image')],
  ['cinder', mustHave('volumeID')],
  ['cephfs', mustHave('monitors')],
  ['quobyte', mustHave('volume')],
  ['downwardAPI', validateDownwardAPIVolumeSource],
  ['fc', () => undefined],
  ['flexVolume', mustHave('driver')],
  ['configMap', validateConfigMapVolumeSource],
  ['azureFile', mustHave('secretName', 'shareName')],
  ['vsphereVolume', mustHave('volumePath')],
  ['photonPersistentDisk', mustHave('pdID')],
  ['portworxVolume', mustHave('volumeID')],
  ['azureDisk', mustHave('diskName', 'diskURI')],
  ['storageos', () => undefined],
  ['projected', validateProjectedVolumeSource],
  ['scaleIO', mustHave('gateway', 'system', 'volumeName')],
  ['csi', validateCSIVolumeSource],
  ['ephemeral', validateEphemeralVolumeSource],
  ['image', validateImageVolumeSource],
];

function validateVolumeSource(volume: Part, path: FieldPath, errors: Errors): void {
  const given = sources.filter(([name]) => volume[name] !== undefined);
  if (given.length === 0) errors.push(required(path, 'must specify a volume type'));
  for (const [index, [name, check]] of given.entries()) {
    if (index === 0) check(volume[name], path.child(name), errors);
    else errors.push(forbidden(path.child(name), 'may not specify more than 1 volume type'));
  }
}

function validateEmptyDirVolumeSource({ sizeLimit }: Part, path: FieldPath, errors: Errors): void {
  if (sizeLimit !== undefined && compareQuantities(quantityOf(sizeLimit), quantityOf('0')) < 0) {
    errors.push(forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'));
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

export function validateHostPathVolumeSource(source: Part, path: FieldPath, errors: Errors): void {
  if (!source.path) errors.push(required(path.child('path')));
  else {
    validatePathNoBacksteps(source.path, path.child('path'), errors);
    validateEnum(source.type ?? '', hostPathTypes, path.child('type'), errors);
  }
}

function validatePathNoBacksteps(text: string, path: FieldPath, errors: Errors): void {
  if (text.split('/').includes('..')) errors.push(invalid(path, text, "must not contain '..'"));
}

/** A path below the one it is taken from. (validateLocalDescendingPath) */
export function validateLocalDescendingPath(text: string, path: FieldPath, errors: Errors): void {
  if (text.startsWith('/')) errors.push(invalid(path, text, 'must be a relative path'));
  validatePathNoBacksteps(text, path, errors);
}

function validateLocalNonReservedPath(text: string | undefined, path: FieldPath, errors: Errors): void {
  if (!text) errors.push(required(path));
  validateLocalDescendingPath(text ?? '', path, errors);
  if (text?.startsWith('..') && !text.split('/').includes('..')) {
    errors.push(invalid(path, text, "must not start with '..'"));
  }
}

function validateFileMode(mode: number | undefined, path: FieldPath, errors: Errors): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) errors.push(invalid(path, mode, fileModeText));
}

function validateKeysToPaths(items: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, item] of items.entries()) {
    const at = path.index(index);
    if (!item.key) errors.push(required(at.child('key')));
    validateLocalNonReservedPath(item.path, at.child('path'), errors);
    validateFileMode(item.mode, at.child('mode'), errors);
  }
}

function validateSecretVolumeSource(source: Part, path: FieldPath, errors: Errors): void {
  if (!source.secretName) errors.push(required(path.child('secretName')));
  validateFileMode(source.defaultMode, path.child('defaultMode'), errors);
  validateKeysToPaths(source.items ?? [], path.child('items'), errors);
}

function validateConfigMapVolumeSource(source: Part, path: FieldPath, errors: Errors): void {
  if (!source.name) errors.push(required(path.child('name')));
  validateFileMode(source.defaultMode, path.child('defaultMode'), errors);
  validateKeysToPaths(source.items ?? [], path.child('items'), errors);
}

export function validateNFSVolumeSource(source: Part, path: FieldPath, errors: Errors): void {
  mustHave('server', 'path')(source, path, errors);
  if (!source.path?.startsWith('/')) {
    errors.push(invalid(path.child('path'), source.path ?? '', 'must be an absolute path'));
  }
}

function validateDownwardAPIVolumeSource(source: Part, path: FieldPath, errors: Errors): void {
  validateFileMode(source.defaultMode, path.child('defaultMode'), errors);
  // Upstream says of the volume, not of the item, what is wrong with an item.
  for (const file of source.items ?? []) validateDownwardAPIFile(file, path, errors);
}

function validateDownwardAPIFile(file: Part, path: FieldPath, errors: Errors): void {
  validateLocalNonReservedPath(file.path, path.child('path'), errors);
  validateDownwardAPIVolumeFile(file, path, errors);
  validateFileMode(file.mode, path.child('mode'), errors);
}

const projections = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

function validateProjectedVolumeSource(source: Part, path: FieldPath, errors: Errors): void {
  validateFileMode(source.defaultMode, path.child('defaultMode'), errors);
  const paths = new Set<string>();
  const claimPath = (text: string | undefined, owner: string): void => {
    if (!text) return;
    if (paths.has(text)) errors.push(invalid(path, owner, 'conflicting duplicate paths'));
    paths.add(text);
  };
  for (const [index, projection] of (source.sources ?? []).entries()) {
    const at = path.child('sources').index(index);
    for (const name of ['secret', 'configMap']) {
      const from = projection[name];
      if (!from) continue;
      if (!from.name) errors.push(required(at.child(name, 'name')));
      validateKeysToPaths(from.items ?? [], at.child(name, 'items'), errors);
      for (const item of from.items ?? []) claimPath(item.path, from.name ?? '');
    }
    for (const file of projection.downwardAPI?.items ?? []) {
      validateDownwardAPIFile(file, at.child('downwardAPI'), errors);
      claimPath(file.path, file.path ?? '');
    }
    if (projection.serviceAccountToken)
      validateServiceAccountTokenProjection(projection.serviceAccountToken, path, at, errors);
    if (projections.filter((name) => projection[name] !== undefined).length > 1) {
      errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
    }
  }
}

function validateServiceAccountTokenProjection(token: Part, volume: FieldPath, path: FieldPath, errors: Errors): void {
  const at = path.child('serviceAccountToken', 'expirationSeconds');
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < 600) errors.push(invalid(at, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32) errors.push(invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  validateLocalNonReservedPath(token.path, volume.child('path'), errors);
}

function validateCSIVolumeSource(source: Part, path: FieldPath, errors: Errors): void {
  validateCSIDriverName(source.driver, path.child('driver'), errors);
  if (source.nodePublishSecretRef) {
    validateRequiredFormat(
      source.nodePublishSecretRef.name,
      dnsSubdomain,
      path.child('nodePublishSecretRef', 'name'),
      errors,
    );
  }
}

function validateImageVolumeSource({ pullPolicy }: Part, path: FieldPath, errors: Errors): void {
  if (pullPolicy) validateEnum(pullPolicy, ['Always', 'IfNotPresent', 'Never'], path.child('pullPolicy'), errors);
}

function validateEphemeralVolumeSource({ volumeClaimTemplate: template }: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('volumeClaimTemplate');
  if (!template) {
    errors.push(required(at));
    return;
  }
  validateLabels(template.metadata?.labels, at.child('metadata', 'labels'), errors);
  validatePersistentVolumeClaimSpec(template.spec ?? {}, at.child('spec'), errors);
}
