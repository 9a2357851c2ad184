import { posix } from 'node:path';
import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { rangeText, validateEnum, validateFormat, validateRequiredFormat } from '../validation/fields.ts';

/** Sources that pods' volumes and persistent volumes share. (pkg/apis/core/validation) */

type Source<Type extends keyof core.PersistentVolumeSpec & keyof core.Volume> = NonNullable<
  Unvalidated<core.PersistentVolumeSpec>[Type] & Unvalidated<core.Volume>[Type]
>;

export const oneTypeText = 'may not specify more than 1 volume type';
export const typeRequiredText = 'must specify a volume type';

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/** (validateHostPathVolumeSource) */
export function validateHostPathVolumeSource({ path, type = '' }: Source<'hostPath'>, field: Field): void {
  if (!path) {
    field.child('path').required();
    return;
  }
  validatePathNoBacksteps(path, field.child('path'));
  validateEnum(type, hostPathTypes, field.child('type'));
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

/** (ValidateLocalNonReservedPath) */
export function validateLocalNonReservedPath(path: string, field: Field): void {
  validateLocalDescendingPath(path, field);
  if (path.startsWith('..') && !path.startsWith('../')) field.invalid(path, "must not start with '..'");
}

/** Reports whether the path is another spelling of `/`. */
export const isRootPath = (path: string): boolean => posix.normalize(path) === '/';

/** (validateGCEPersistentDiskVolumeSource) */
export function validateGCEPersistentDiskVolumeSource({ pdName, partition }: Source<'gcePersistentDisk'>, field: Field): void {
  if (!pdName) field.child('pdName').required();
  validatePartition(partition, field.child('partition'));
}

/** (validateAWSElasticBlockStoreVolumeSource) */
export function validateAWSElasticBlockStoreVolumeSource({ volumeID, partition }: Source<'awsElasticBlockStore'>, field: Field): void {
  if (!volumeID) field.child('volumeID').required();
  validatePartition(partition, field.child('partition'));
}

/** 0 counts as absent, although the message says otherwise. */
function validatePartition(partition = 0, field: Field): void {
  if (partition < 0 || partition > 255) field.invalid(partition, rangeText(1, 255));
}

/** (validateNFSVolumeSource) */
export function validateNFSVolumeSource({ server, path = '' }: Source<'nfs'>, field: Field): void {
  if (!server) field.child('server').required();
  if (path === '') field.child('path').required();
  if (!path.startsWith('/')) field.child('path').invalid(path, 'must be an absolute path');
}

const registryText = 'must be a host:port pair or multiple pairs separated by commas';

/** (validateQuobyteVolumeSource) */
export function validateQuobyteVolumeSource({ registry = '', tenant = '', volume }: Source<'quobyte'>, field: Field): void {
  if (registry === '') field.child('registry').required(registryText);
  else if (Buffer.byteLength(tenant) >= 65) {
    field.child('tenant').required('must be a UUID and may not exceed a length of 64 characters');
  } else {
    for (const pair of registry.split(',')) {
      if (!isHostPort(pair)) field.child('registry').invalid(registry, registryText);
    }
  }
  if (!volume) field.child('volume').required();
}

/** Reports whether the text is `host:port` or `[host]:port`. Both parts may be empty. (net.SplitHostPort) */
function isHostPort(text: string): boolean {
  const colon = text.lastIndexOf(':');
  const [host, rest] = text.startsWith('[')
    ? [text.slice(1, text.indexOf(']')), text.slice(text.indexOf(']') + 1)]
    : [text.slice(0, colon), text.slice(colon)];
  if (colon < 0 || /[[\]]/.test(host + rest)) return false;
  return text.startsWith('[') ? rest.lastIndexOf(':') === 0 : !host.includes(':');
}

/** Sources of pods' volumes and of persistent volumes, which have more members. (validateGlusterfsVolumeSource) */
export function validateGlusterfsVolumeSource(
  { endpoints, path }: { readonly endpoints?: string; readonly path?: string },
  field: Field,
): void {
  if (!endpoints) field.child('endpoints').required();
  if (!path) field.child('path').required();
}

/** (validateFlockerVolumeSource) */
export function validateFlockerVolumeSource({ datasetName = '', datasetUUID = '' }: Source<'flocker'>, field: Field): void {
  if (datasetName === '' && datasetUUID === '') field.required('one of datasetName and datasetUUID is required');
  if (datasetName !== '' && datasetUUID !== '') {
    field.invalid('resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (datasetName.includes('/')) field.child('datasetName').invalid(datasetName, "must not contain '/'");
}

/** (validateFCVolumeSource) */
export function validateFCVolumeSource({ targetWWNs, wwids, lun }: Source<'fc'>, field: Field): void {
  const targets = field.child('targetWWNs');
  if (!targetWWNs?.length) {
    if (!wwids?.length) targets.required('must specify either targetWWNs or wwids, but not both');
    return;
  }
  if (wwids?.length) targets.invalid(targetWWNs, 'targetWWNs and wwids can not be specified simultaneously');
  if (lun === undefined) field.child('lun').required('lun is required if targetWWNs is specified');
  else validateLun(lun, field.child('lun'));
}

export function validateLun(lun = 0, field: Field): void {
  if (lun < 0 || lun > 255) field.invalid(lun, rangeText(0, 255));
}

/** (validateRBDVolumeSource, validateRBDPersistentVolumeSource) */
export function validateRBDVolumeSource(
  { monitors, image }: { readonly monitors?: readonly string[] | null; readonly image?: string },
  field: Field,
): void {
  validateCephFSVolumeSource(defined({ monitors }), field);
  if (!image) field.child('image').required();
}

/** (validateCephFSVolumeSource, validateCephFSPersistentVolumeSource) */
export function validateCephFSVolumeSource({ monitors }: { readonly monitors?: readonly string[] | null }, field: Field): void {
  if (!monitors?.length) field.child('monitors').required();
}

/** (validateFlexVolumeSource, validateFlexPersistentVolumeSource) */
export function validateFlexVolumeSource(
  { driver, options }: { readonly driver?: string; readonly options?: Readonly<Record<string, string>> },
  field: Field,
): void {
  if (!driver) field.child('driver').required();
  for (const name of Object.keys(options ?? {})) {
    const namespace = `.${name.split('/', 1).join().toLowerCase()}`;
    if (!namespace.endsWith('.kubernetes.io') && !namespace.endsWith('.k8s.io')) continue;
    field.child('options').key(name).invalid(name, 'kubernetes.io and k8s.io namespaces are reserved');
  }
}

/** (validateAzureFile, and the part of validateAzureFilePV that equals it) */
export function validateAzureFile(
  { secretName, shareName }: { readonly secretName?: string; readonly shareName?: string },
  field: Field,
): void {
  if (!secretName) field.child('secretName').required();
  if (!shareName) field.child('shareName').required();
}

const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** (validateAzureDisk) */
export function validateAzureDisk({ diskName, diskURI = '', cachingMode, kind }: Source<'azureDisk'>, field: Field): void {
  const at = field.child('diskURI');
  if (!diskName) field.child('diskName').required();
  if (diskURI === '') at.required();
  if (cachingMode !== undefined) {
    validateEnum(cachingMode, ['None', 'ReadOnly', 'ReadWrite'], field.child('cachingMode'));
  }
  if (kind === undefined) return;
  validateEnum(kind, ['Dedicated', 'Managed', 'Shared'], field.child('kind'));
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) at.notSupported(diskURI, [managedDisk]);
  if (kind !== 'Managed' && !diskURI.startsWith('https://')) at.notSupported(diskURI, [blobDisk]);
}

/** (validateVsphereVolumeSource) */
export function validateVsphereVolumeSource({ volumePath }: Source<'vsphereVolume'>, field: Field): void {
  if (!volumePath) field.child('volumePath').required();
}

/** (validatePhotonPersistentDiskVolumeSource) */
export function validatePhotonPersistentDiskVolumeSource({ pdID }: Source<'photonPersistentDisk'>, field: Field): void {
  if (!pdID) field.child('pdID').required();
}

/** Sources of Portworx and Cinder. (validatePortworxVolumeSource) */
export function validatePortworxVolumeSource({ volumeID }: { readonly volumeID?: string }, field: Field): void {
  if (!volumeID) field.child('volumeID').required();
}

interface ScaleIO {
  readonly gateway?: string;
  readonly system?: string;
  readonly volumeName?: string;
}

/** (validateScaleIOVolumeSource, validateScaleIOPersistentVolumeSource) */
export function validateScaleIOVolumeSource({ gateway, system, volumeName }: ScaleIO, field: Field): void {
  if (!gateway) field.child('gateway').required();
  if (!system) field.child('system').required();
  if (!volumeName) field.child('volumeName').required();
}

interface StorageOS {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
}

/** The common part of validateStorageOSVolumeSource and validateStorageOSPersistentVolumeSource. */
export function validateStorageOSNames({ volumeName, volumeNamespace }: StorageOS, field: Field): void {
  validateRequiredFormat(volumeName, dnsLabel, field.child('volumeName'));
  if (volumeNamespace) validateFormat(volumeNamespace, dnsLabel, field.child('volumeNamespace'));
}
