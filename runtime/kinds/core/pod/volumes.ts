import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import { compareQuantities } from '../../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat, validateRequiredFormat } from '../../validation/fields.ts';
import { validateCSIDriverName } from '../csi-driver-name.ts';
import { isPortalTooLong, portalTooLongText, validateISCSIVolumeSource } from '../iscsi.ts';
import { validatePersistentVolumeClaimSpec } from '../persistent-volume-claim.ts';
import { quantityOf } from '../resource-list.ts';
import { validateTemplateObjectMeta } from '../template-object-meta.ts';
import * as sources from '../volume-sources.ts';
import {
  validateConfigMapVolumeSource,
  validateDownwardAPIVolumeSource,
  validateProjectedVolumeSource,
  validateSecretVolumeSource,
} from './projected-volumes.ts';
import type { PodValidationOptions } from './validation-options.ts';
import { ephemeralClaimName } from './volume-claims.ts';

/** Volumes of pods. (pkg/apis/core/validation) */

type Volume = Unvalidated<core.Volume>;
type SourceType = Exclude<keyof core.Volume, 'name'>;
type Source<Type extends SourceType> = NonNullable<Volume[Type]>;

/** The facts about a pod that the rules for its volumes need. */
interface PodOfVolumes {
  /** "" for templates. */
  readonly podName: string;
  readonly options: PodValidationOptions;
}

/**
 * Returns the valid volumes by name. Containers may mount only these. (ValidateVolumes)
 *
 * @param metadata of the pod; absent for a template
 */
export function validateVolumes(
  volumes: readonly Volume[],
  metadata: ObjectMeta | undefined,
  field: Field,
  options: PodValidationOptions,
): Map<string, Volume> {
  const pod: PodOfVolumes = { podName: metadata?.name ?? '', options };
  const valid = new Map<string, Volume>();
  for (const [index, volume] of volumes.entries()) {
    const at = field.index(index);
    const { name = '' } = volume;
    const errorsBefore = field.errors.length;
    validateVolumeSource(volume, pod, at);
    validateRequiredFormat(name, dnsLabel, at.child('name'));
    if (valid.has(name)) at.child('name').duplicate(name);
    if (field.errors.length === errorsBefore) valid.set(name, volume);
    if (volume.persistentVolumeClaim && pod.podName !== '') {
      validateOtherClaim(volume.persistentVolumeClaim, volumes, pod.podName, at.child('persistentVolumeClaim'));
    }
  }
  return valid;
}

/** A volume must not name a claim that is made for another volume of the pod. */
function validateOtherClaim(
  { claimName = '' }: Source<'persistentVolumeClaim'>,
  volumes: readonly Volume[],
  podName: string,
  field: Field,
): void {
  if (!claimName.startsWith(`${podName}-`)) return;
  const ofVolume = claimName.slice(podName.length + 1);
  if (!volumes.some(({ name = '', ephemeral }) => ephemeral && name === ofVolume)) return;
  field.child('claimName').invalid(claimName, 'must not reference a PVC that gets created for an ephemeral volume');
}

/** Names that upstream spells differently in the error of a second source. */
const spelledDifferently: Readonly<Partial<Record<SourceType, string>>> = {
  cephfs: 'cephFS',
  downwardAPI: 'downwarAPI',
};

/** (validateVolumeSource) */
function validateVolumeSource(volume: Volume, pod: PodOfVolumes, field: Field): void {
  const types = sourceTypesOf(volume);
  for (const [index, type] of types.entries()) {
    if (index > 0) field.child(spelledDifferently[type] ?? type).forbidden(sources.oneTypeText);
    else validateSourceOfType(type, volume, field, pod.options);
    if (type === 'iscsi') validatePortalLength(volume, field.child('name'));
    if (type === 'ephemeral' && index === 0) validateClaimName(volume.name, pod, field.child('name'));
  }
  if (types.length === 0) field.required(sources.typeRequiredText);
}

function validatePortalLength({ name = '', iscsi }: Volume, field: Field): void {
  if (iscsi && isPortalTooLong(name, iscsi)) field.invalid(name, portalTooLongText);
}

/** The name of the claim that is made for an ephemeral volume. */
function validateClaimName(name: string | undefined, { podName }: PodOfVolumes, field: Field): void {
  if (podName === '' || !name) return;
  const claimName = ephemeralClaimName(podName, name);
  for (const message of dnsSubdomain(claimName)) field.invalid(name, `PVC name ${quote(claimName)}: ${message}`);
}

function validateSourceOfType<Type extends SourceType>(
  type: Type,
  volume: Pick<Volume, Type>,
  field: Field,
  options: PodValidationOptions,
): void {
  const source: Volume[Type] | undefined = volume[type];
  if (source) sourceRules[type](source, field.child(type === 'gcePersistentDisk' ? 'persistentDisk' : type), options);
}

type Rule<Type extends SourceType> = (source: Source<Type>, field: Field, options: PodValidationOptions) => void;

/** The rules in upstream's order. With two sources, the later one is reported. */
const sourceRules: { readonly [Type in SourceType]: Rule<Type> } = {
  emptyDir: validateEmptyDirVolumeSource,
  hostPath: sources.validateHostPathVolumeSource,
  gitRepo: validateGitRepoVolumeSource,
  gcePersistentDisk: sources.validateGCEPersistentDiskVolumeSource,
  awsElasticBlockStore: sources.validateAWSElasticBlockStoreVolumeSource,
  secret: validateSecretVolumeSource,
  nfs: sources.validateNFSVolumeSource,
  iscsi: validateISCSIVolumeSource,
  glusterfs: sources.validateGlusterfsVolumeSource,
  flocker: sources.validateFlockerVolumeSource,
  persistentVolumeClaim: validatePersistentClaimVolumeSource,
  rbd: sources.validateRBDVolumeSource,
  cinder: validateCinderVolumeSource,
  cephfs: sources.validateCephFSVolumeSource,
  quobyte: sources.validateQuobyteVolumeSource,
  downwardAPI: validateDownwardAPIVolumeSource,
  fc: sources.validateFCVolumeSource,
  flexVolume: sources.validateFlexVolumeSource,
  configMap: validateConfigMapVolumeSource,
  azureFile: sources.validateAzureFile,
  vsphereVolume: sources.validateVsphereVolumeSource,
  photonPersistentDisk: sources.validatePhotonPersistentDiskVolumeSource,
  portworxVolume: sources.validatePortworxVolumeSource,
  azureDisk: sources.validateAzureDisk,
  storageos: validateStorageOSVolumeSource,
  projected: validateProjectedVolumeSource,
  scaleIO: sources.validateScaleIOVolumeSource,
  csi: validateCSIVolumeSource,
  ephemeral: validateEphemeralVolumeSource,
  image: validateImageVolumeSource,
};
const sourceTypes = Object.keys(sourceRules) as SourceType[];

/**
 * Returns the source types of a volume in the order of the rules. Looks up the members of the volume, because a look-up
 * of each type takes longer.
 */
function sourceTypesOf(volume: Volume): SourceType[] {
  const types = (Object.keys(volume) as (keyof Volume)[]).filter(
    (key): key is SourceType => key in sourceRules && volume[key] !== undefined,
  );
  return types.length < 2 ? types : types.sort((a, b) => sourceTypes.indexOf(a) - sourceTypes.indexOf(b));
}

function validateEmptyDirVolumeSource({ sizeLimit }: Source<'emptyDir'>, field: Field): void {
  if (sizeLimit !== undefined && compareQuantities(quantityOf(sizeLimit), quantityOf('0')) < 0) {
    field.child('sizeLimit').forbidden('SizeLimit field must be a valid resource quantity');
  }
}

/** (validateGitRepoVolumeSource) */
function validateGitRepoVolumeSource({ repository, directory = '' }: Source<'gitRepo'>, field: Field): void {
  if (!repository) field.child('repository').required();
  sources.validateLocalDescendingPath(directory, field.child('directory'));
}

/** (validatePersistentClaimVolumeSource) */
function validatePersistentClaimVolumeSource({ claimName }: Source<'persistentVolumeClaim'>, field: Field): void {
  if (!claimName) field.child('claimName').required();
}

/** (validateCinderVolumeSource) */
function validateCinderVolumeSource({ volumeID, secretRef }: Source<'cinder'>, field: Field): void {
  sources.validatePortworxVolumeSource(defined({ volumeID }), field);
  if (secretRef && !secretRef.name) field.child('secretRef', 'name').required();
}

/** (validateStorageOSVolumeSource) */
function validateStorageOSVolumeSource(source: Source<'storageos'>, field: Field): void {
  sources.validateStorageOSNames(source, field);
  if (source.secretRef && !source.secretRef.name) field.child('secretRef', 'name').required();
}

/** (validateCSIVolumeSource) */
function validateCSIVolumeSource({ driver, nodePublishSecretRef }: Source<'csi'>, field: Field): void {
  validateCSIDriverName(driver, field.child('driver'));
  if (!nodePublishSecretRef) return;
  const { name } = nodePublishSecretRef;
  if (!name) field.child('nodePublishSecretRef', 'name').required();
  // as upstream, the error has the path of the volume and not of the reference
  else validateFormat(name, dnsSubdomain, field.child('name'));
}

/** (validateImageVolumeSource) */
function validateImageVolumeSource(
  { reference, pullPolicy = '' }: Source<'image'>,
  field: Field,
  { resourceIsPod }: PodValidationOptions,
): void {
  if (resourceIsPod && !reference) field.child('reference').required();
  const at = field.child('pullPolicy');
  if (pullPolicy === '') at.required();
  else validateEnum(pullPolicy, ['Always', 'IfNotPresent', 'Never'], at);
}

/** (validateEphemeralVolumeSource) */
function validateEphemeralVolumeSource({ volumeClaimTemplate: template }: Source<'ephemeral'>, field: Field): void {
  const at = field.child('volumeClaimTemplate');
  if (!template) at.required();
  else {
    validateTemplateObjectMeta(template.metadata ?? {}, at.child('metadata'));
    validatePersistentVolumeClaimSpec(template.spec ?? {}, at.child('spec'));
  }
}
