import { duplicate, forbidden, invalid, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import { checkEnum, checkFormat, checkLabels, checkName, type Errors } from './checks.ts';
import { checkClaimSpec } from './claims.ts';
import { checkDownwardFile } from './environment.ts';
import { quantityOf } from './resource-lists.ts';
import { dnsLabel, dnsSubdomain } from './text-formats.ts';

const fileModeText = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Volumes of a pod: names, one source each, and what each source must have. (ValidateVolumes) */
export function checkVolumes(volumes: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    checkSource(volume, at, errors);
    const { name } = volume;
    if (!name) errors.push(required(at.child('name')));
    else if (dnsLabel(name).length > 0) checkFormat(name, dnsLabel, at.child('name'), errors);
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
  ['emptyDir', checkEmptyDir],
  ['hostPath', checkHostPath],
  ['gitRepo', mustHave('repository')],
  ['gcePersistentDisk', mustHave('pdName')],
  ['awsElasticBlockStore', mustHave('volumeID')],
  ['secret', checkSecret],
  ['nfs', checkNFS],
  ['iscsi', mustHave('targetPortal', 'iqn')],
  ['glusterfs', mustHave('endpoints', 'path')],
  ['flocker', () => undefined],
  ['persistentVolumeClaim', mustHave('claimName')],
  ['rbd', mustHave('monitors', 'image')],
  ['cinder', mustHave('volumeID')],
  ['cephfs', mustHave('monitors')],
  ['quobyte', mustHave('volume')],
  ['downwardAPI', checkDownwardAPI],
  ['fc', () => undefined],
  ['flexVolume', mustHave('driver')],
  ['configMap', checkConfigMap],
  ['azureFile', mustHave('secretName', 'shareName')],
  ['vsphereVolume', mustHave('volumePath')],
  ['photonPersistentDisk', mustHave('pdID')],
  ['portworxVolume', mustHave('volumeID')],
  ['azureDisk', mustHave('diskName', 'diskURI')],
  ['storageos', () => undefined],
  ['projected', checkProjected],
  ['scaleIO', mustHave('gateway', 'system', 'volumeName')],
  ['csi', checkCSI],
  ['ephemeral', checkEphemeral],
  ['image', checkImage],
];

function checkSource(volume: Part, path: FieldPath, errors: Errors): void {
  const given = sources.filter(([name]) => volume[name] !== undefined);
  if (given.length === 0) errors.push(required(path, 'must specify a volume type'));
  for (const [index, [name, check]] of given.entries()) {
    if (index === 0) check(volume[name], path.child(name), errors);
    else errors.push(forbidden(path.child(name), 'may not specify more than 1 volume type'));
  }
}

function checkEmptyDir({ sizeLimit }: Part, path: FieldPath, errors: Errors): void {
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

export function checkHostPath(source: Part, path: FieldPath, errors: Errors): void {
  if (!source.path) errors.push(required(path.child('path')));
  else {
    checkNoBacksteps(source.path, path.child('path'), errors);
    checkEnum(source.type ?? '', hostPathTypes, path.child('type'), errors);
  }
}

function checkNoBacksteps(text: string, path: FieldPath, errors: Errors): void {
  if (text.split('/').includes('..')) errors.push(invalid(path, text, "must not contain '..'"));
}

/** A path below the one it is taken from. (validateLocalDescendingPath) */
export function checkLocalPath(text: string, path: FieldPath, errors: Errors): void {
  if (text.startsWith('/')) errors.push(invalid(path, text, 'must be a relative path'));
  checkNoBacksteps(text, path, errors);
}

function checkFilePath(text: string | undefined, path: FieldPath, errors: Errors): void {
  if (!text) errors.push(required(path));
  checkLocalPath(text ?? '', path, errors);
  if (text?.startsWith('..') && !text.split('/').includes('..')) {
    errors.push(invalid(path, text, "must not start with '..'"));
  }
}

function checkMode(mode: number | undefined, path: FieldPath, errors: Errors): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) errors.push(invalid(path, mode, fileModeText));
}

function checkItems(items: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, item] of items.entries()) {
    const at = path.index(index);
    if (!item.key) errors.push(required(at.child('key')));
    checkFilePath(item.path, at.child('path'), errors);
    checkMode(item.mode, at.child('mode'), errors);
  }
}

function checkSecret(source: Part, path: FieldPath, errors: Errors): void {
  if (!source.secretName) errors.push(required(path.child('secretName')));
  checkMode(source.defaultMode, path.child('defaultMode'), errors);
  checkItems(source.items ?? [], path.child('items'), errors);
}

function checkConfigMap(source: Part, path: FieldPath, errors: Errors): void {
  if (!source.name) errors.push(required(path.child('name')));
  checkMode(source.defaultMode, path.child('defaultMode'), errors);
  checkItems(source.items ?? [], path.child('items'), errors);
}

export function checkNFS(source: Part, path: FieldPath, errors: Errors): void {
  mustHave('server', 'path')(source, path, errors);
  if (!source.path?.startsWith('/')) {
    errors.push(invalid(path.child('path'), source.path ?? '', 'must be an absolute path'));
  }
}

function checkDownwardAPI(source: Part, path: FieldPath, errors: Errors): void {
  checkMode(source.defaultMode, path.child('defaultMode'), errors);
  // Upstream says of the volume, not of the item, what is wrong with an item.
  for (const file of source.items ?? []) checkFile(file, path, errors);
}

function checkFile(file: Part, path: FieldPath, errors: Errors): void {
  checkFilePath(file.path, path.child('path'), errors);
  checkDownwardFile(file, path, errors);
  checkMode(file.mode, path.child('mode'), errors);
}

const projections = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

function checkProjected(source: Part, path: FieldPath, errors: Errors): void {
  checkMode(source.defaultMode, path.child('defaultMode'), errors);
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
      checkItems(from.items ?? [], at.child(name, 'items'), errors);
      for (const item of from.items ?? []) claimPath(item.path, from.name ?? '');
    }
    for (const file of projection.downwardAPI?.items ?? []) {
      checkFile(file, at.child('downwardAPI'), errors);
      claimPath(file.path, file.path ?? '');
    }
    if (projection.serviceAccountToken) checkToken(projection.serviceAccountToken, path, at, errors);
    if (projections.filter((name) => projection[name] !== undefined).length > 1) {
      errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
    }
  }
}

function checkToken(token: Part, volume: FieldPath, path: FieldPath, errors: Errors): void {
  const at = path.child('serviceAccountToken', 'expirationSeconds');
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < 600) errors.push(invalid(at, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32) errors.push(invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  checkFilePath(token.path, volume.child('path'), errors);
}

/** (ValidateCSIDriverName) */
export function checkDriverName(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) errors.push(required(path));
  for (const message of dnsSubdomain((name ?? '').toLowerCase())) errors.push(invalid(path, name ?? '', message));
}

function checkCSI(source: Part, path: FieldPath, errors: Errors): void {
  checkDriverName(source.driver, path.child('driver'), errors);
  if (source.nodePublishSecretRef) {
    checkName(source.nodePublishSecretRef.name, dnsSubdomain, path.child('nodePublishSecretRef', 'name'), errors);
  }
}

function checkImage({ pullPolicy }: Part, path: FieldPath, errors: Errors): void {
  if (pullPolicy) checkEnum(pullPolicy, ['Always', 'IfNotPresent', 'Never'], path.child('pullPolicy'), errors);
}

function checkEphemeral({ volumeClaimTemplate: template }: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('volumeClaimTemplate');
  if (!template) {
    errors.push(required(at));
    return;
  }
  checkLabels(template.metadata?.labels, at.child('metadata', 'labels'), errors);
  checkClaimSpec(template.spec ?? {}, at.child('spec'), errors);
}
