import type { Part } from '../../../machinery/object.ts';
import { compareQuantities } from '../../../machinery/scalars/quantity.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { validateCSIDriverName } from '../../storage.k8s.io/csi-driver.ts';
import { validateEnum, validateFormat, validateRequiredFormat } from '../../validation/fields.ts';
import { validateLabels } from '../../validation/labels.ts';
import { validatePersistentVolumeClaimSpec } from '../persistent-volume-claim.ts';
import { quantityOf } from '../resource-list.ts';
import { validateDownwardAPIVolumeFile } from './environment.ts';

const fileModeText = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Volumes of a pod: names, one source each, and what each source must have. (ValidateVolumes) */
export function validateVolumes(volumes: readonly Part[], field: Field): void {
  const seen = new Set<string>();
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

type SourceCheck = (source: Part, field: Field) => void;

/** The fields that a source must have. */
const mustHave =
  (...names: readonly string[]): SourceCheck =>
  (source, field) => {
    for (const name of names) if (!source[name]?.length) field.child(name).required();
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

function validateVolumeSource(volume: Part, field: Field): void {
  const given = sources.filter(([name]) => volume[name] !== undefined);
  if (given.length === 0) field.required('must specify a volume type');
  for (const [index, [name, check]] of given.entries()) {
    if (index === 0) check(volume[name], field.child(name));
    else field.child(name).forbidden('may not specify more than 1 volume type');
  }
}

function validateEmptyDirVolumeSource({ sizeLimit }: Part, path: Field): void {
  if (sizeLimit !== undefined && compareQuantities(quantityOf(sizeLimit), quantityOf('0')) < 0) {
    path.child('sizeLimit').forbidden('SizeLimit field must be a valid resource quantity');
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

export function validateHostPathVolumeSource(source: Part, field: Field): void {
  if (!source.path) field.child('path').required();
  else {
    validatePathNoBacksteps(source.path, field.child('path'));
    validateEnum(source.type ?? '', hostPathTypes, field.child('type'));
  }
}

function validatePathNoBacksteps(text: string, field: Field): void {
  if (text.split('/').includes('..')) field.invalid(text, "must not contain '..'");
}

/** A path below the one it is taken from. (validateLocalDescendingPath) */
export function validateLocalDescendingPath(text: string, field: Field): void {
  if (text.startsWith('/')) field.invalid(text, 'must be a relative path');
  validatePathNoBacksteps(text, field);
}

function validateLocalNonReservedPath(text: string | undefined, field: Field): void {
  if (!text) field.required();
  validateLocalDescendingPath(text ?? '', field);
  if (text?.startsWith('..') && !text.split('/').includes('..')) {
    field.invalid(text, "must not start with '..'");
  }
}

function validateFileMode(mode: number | undefined, field: Field): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) field.invalid(mode, fileModeText);
}

function validateKeysToPaths(items: readonly Part[], field: Field): void {
  for (const [index, item] of items.entries()) {
    const at = field.index(index);
    if (!item.key) at.child('key').required();
    validateLocalNonReservedPath(item.path, at.child('path'));
    validateFileMode(item.mode, at.child('mode'));
  }
}

function validateSecretVolumeSource(source: Part, field: Field): void {
  if (!source.secretName) field.child('secretName').required();
  validateFileMode(source.defaultMode, field.child('defaultMode'));
  validateKeysToPaths(source.items ?? [], field.child('items'));
}

function validateConfigMapVolumeSource(source: Part, field: Field): void {
  if (!source.name) field.child('name').required();
  validateFileMode(source.defaultMode, field.child('defaultMode'));
  validateKeysToPaths(source.items ?? [], field.child('items'));
}

export function validateNFSVolumeSource(source: Part, field: Field): void {
  mustHave('server', 'path')(source, field);
  if (!source.path?.startsWith('/')) {
    field.child('path').invalid(source.path ?? '', 'must be an absolute path');
  }
}

function validateDownwardAPIVolumeSource(source: Part, field: Field): void {
  validateFileMode(source.defaultMode, field.child('defaultMode'));
  // Upstream says of the volume, not of the item, what is wrong with an item.
  for (const file of source.items ?? []) validateDownwardAPIFile(file, field);
}

function validateDownwardAPIFile(file: Part, field: Field): void {
  validateLocalNonReservedPath(file.path, field.child('path'));
  validateDownwardAPIVolumeFile(file, field);
  validateFileMode(file.mode, field.child('mode'));
}

const projections = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

function validateProjectedVolumeSource(source: Part, field: Field): void {
  validateFileMode(source.defaultMode, field.child('defaultMode'));
  const paths = new Set<string>();
  const claimPath = (text: string | undefined, owner: string): void => {
    if (!text) return;
    if (paths.has(text)) field.invalid(owner, 'conflicting duplicate paths');
    paths.add(text);
  };
  for (const [index, projection] of (source.sources ?? []).entries()) {
    const at = field.child('sources').index(index);
    for (const name of ['secret', 'configMap']) {
      const from = projection[name];
      if (!from) continue;
      if (!from.name) at.child(name, 'name').required();
      validateKeysToPaths(from.items ?? [], at.child(name, 'items'));
      for (const item of from.items ?? []) claimPath(item.path, from.name ?? '');
    }
    for (const file of projection.downwardAPI?.items ?? []) {
      validateDownwardAPIFile(file, at.child('downwardAPI'));
      claimPath(file.path, file.path ?? '');
    }
    if (projection.serviceAccountToken)
      validateServiceAccountTokenProjection(projection.serviceAccountToken, field, at);
    if (projections.filter((name) => projection[name] !== undefined).length > 1) {
      at.forbidden('may not specify more than 1 volume type per source');
    }
  }
}

function validateServiceAccountTokenProjection(token: Part, volume: Field, field: Field): void {
  const at = field.child('serviceAccountToken', 'expirationSeconds');
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < 600) at.invalid(seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32) at.invalid(seconds, 'may not specify a duration larger than 2^32 seconds');
  validateLocalNonReservedPath(token.path, volume.child('path'));
}

function validateCSIVolumeSource(source: Part, field: Field): void {
  validateCSIDriverName(source.driver, field.child('driver'));
  if (source.nodePublishSecretRef) {
    validateRequiredFormat(source.nodePublishSecretRef.name, dnsSubdomain, field.child('nodePublishSecretRef', 'name'));
  }
}

function validateImageVolumeSource({ pullPolicy }: Part, field: Field): void {
  if (pullPolicy) validateEnum(pullPolicy, ['Always', 'IfNotPresent', 'Never'], field.child('pullPolicy'));
}

function validateEphemeralVolumeSource({ volumeClaimTemplate: template }: Part, field: Field): void {
  const at = field.child('volumeClaimTemplate');
  if (!template) {
    at.required();
    return;
  }
  validateLabels(template.metadata?.labels, at.child('metadata', 'labels'));
  validatePersistentVolumeClaimSpec(template.spec ?? {}, at.child('spec'));
}
