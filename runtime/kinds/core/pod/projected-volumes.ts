import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { clusterTrustBundleName } from '../../certificates.k8s.io/cluster-trust-bundle-name.ts';
import { maxExpirationSecondsOf, validateSignerName } from '../../certificates.k8s.io/signer-name.ts';
import { validateTokenExpiration } from '../../storage.k8s.io/csi-driver.ts';
import { validateEnum } from '../../validation/fields.ts';
import { internalStruct, type Shape } from '../../validation/internal-value.ts';
import { validateLabelSelector } from '../../validation/labels.ts';
import { validateUserAnnotations } from '../../validation/user-annotations.ts';
import { validateLocalNonReservedPath } from '../volume-sources.ts';
import { validateDownwardAPIVolumeFile } from './downward-api.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** Volumes with files from the API. (pkg/apis/core/validation) */

type Volume = Unvalidated<core.Volume>;
type Source<Type extends keyof core.Volume> = NonNullable<Volume[Type]>;

function validateFileMode(mode: number | undefined, field: Field): void {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return;
  field.invalid(mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

function validateRequiredPath(path: string, field: Field): void {
  if (path === '') field.required();
  validateLocalNonReservedPath(path, field);
}

function validateKeysToPaths(items: readonly Unvalidated<core.KeyToPath>[], field: Field): void {
  for (const [index, item] of items.entries()) validateKeyToPath(item, field.index(index));
}

/** (validateKeyToPath) */
function validateKeyToPath({ key, path = '', mode }: Unvalidated<core.KeyToPath>, field: Field): void {
  if (!key) field.child('key').required();
  validateRequiredPath(path, field.child('path'));
  validateFileMode(mode, field.child('mode'));
}

/** (validateSecretVolumeSource) */
export function validateSecretVolumeSource({ secretName, defaultMode, items }: Source<'secret'>, field: Field): void {
  if (!secretName) field.child('secretName').required();
  validateFileMode(defaultMode, field.child('defaultMode'));
  validateKeysToPaths(items ?? [], field.child('items'));
}

/** (validateConfigMapVolumeSource) */
export function validateConfigMapVolumeSource({ name, defaultMode, items }: Source<'configMap'>, field: Field): void {
  if (!name) field.child('name').required();
  validateFileMode(defaultMode, field.child('defaultMode'));
  validateKeysToPaths(items ?? [], field.child('items'));
}

/** (validateDownwardAPIVolumeSource) */
export function validateDownwardAPIVolumeSource({ defaultMode, items }: Source<'downwardAPI'>, field: Field): void {
  validateFileMode(defaultMode, field.child('defaultMode'));
  // as upstream, errors name the volume and not the item
  for (const file of items ?? []) validateDownwardAPIFile(file, field);
}

function validateDownwardAPIFile(file: Unvalidated<core.DownwardAPIVolumeFile>, field: Field): void {
  validateRequiredPath(file.path ?? '', field.child('path'));
  validateDownwardAPIVolumeFile(file, field);
  validateFileMode(file.mode, field.child('mode'));
}

type Projection = Unvalidated<core.VolumeProjection>;

/** A projected volume with the paths of all its sources. */
class ProjectedVolume {
  /** The path of the volume. */
  readonly field: Field;
  readonly options: PodValidationOptions;
  readonly #seen = new Set<string>();

  constructor(field: Field, options: PodValidationOptions) {
    this.field = field;
    this.options = options;
  }

  /** @param owner named in the error if the path is taken */
  add(path: string, owner = path): void {
    if (this.#seen.has(path)) this.field.invalid(owner, 'conflicting duplicate paths');
    this.#seen.add(path);
  }
}

/** (validateProjectedVolumeSource, validateProjectionSources) */
export function validateProjectedVolumeSource(
  { defaultMode, sources }: Source<'projected'>,
  field: Field,
  options: PodValidationOptions,
): void {
  validateFileMode(defaultMode, field.child('defaultMode'));
  const volume = new ProjectedVolume(field, options);
  for (const [index, source] of (sources ?? []).entries()) {
    validateProjection(source, volume, field.child('sources').index(index));
  }
}

function validateProjection(source: Projection, volume: ProjectedVolume, at: Field): void {
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  let count = 0;
  if (secret) {
    count++;
    validateKeyedProjection(secret, volume, at.child('secret'));
  }
  if (configMap) {
    count++;
    validateKeyedProjection(configMap, volume, at.child('configMap'));
  }
  if (downwardAPI) {
    count++;
    for (const file of downwardAPI.items ?? []) {
      validateDownwardAPIFile(file, at.child('downwardAPI'));
      if (file.path) volume.add(file.path);
    }
  }
  if (serviceAccountToken) {
    count++;
    validateServiceAccountToken(serviceAccountToken, volume, at.child('serviceAccountToken'));
  }
  if (clusterTrustBundle) {
    count++;
    validateClusterTrustBundleProjection(clusterTrustBundle, at.child('clusterTrustBundle'));
    volume.add(clusterTrustBundle.path ?? '');
  }
  if (podCertificate) {
    count++;
    validatePodCertificateProjection(podCertificate, volume, at.child('podCertificate'));
  }
  if (count > 1) at.forbidden('may not specify more than 1 volume type per source');
}

function validateServiceAccountToken(
  { expirationSeconds = 0, path = '' }: Unvalidated<core.ServiceAccountTokenProjection>,
  volume: ProjectedVolume,
  field: Field,
): void {
  validateTokenExpiration(expirationSeconds, field.child('expirationSeconds'));
  // as upstream, errors of the path name the volume
  const at = volume.field.child('path');
  if (path === '') at.required();
  else if (!volume.options.allowNonLocalProjectedTokenPath) validateLocalNonReservedPath(path, at);
}

function validateKeyedProjection(
  { name = '', items }: Unvalidated<core.SecretProjection | core.ConfigMapProjection>,
  volume: ProjectedVolume,
  field: Field,
): void {
  if (name === '') field.child('name').required();
  for (const [index, item] of (items ?? []).entries()) {
    validateKeyToPath(item, field.child('items').index(index));
    if (item.path) volume.add(item.path, name);
  }
}

const bundleShape: Shape = { name: null, signerName: null, labelSelector: null, optional: null, path: '' };

function validateClusterTrustBundleProjection(bundle: Unvalidated<core.ClusterTrustBundleProjection>, field: Field): void {
  const { name, signerName, labelSelector, path = '' } = bundle;
  if (name !== undefined && signerName !== undefined) {
    field.invalid(internalStruct(bundle, bundleShape), 'only one of name and signerName may be used');
  } else if (name !== undefined) {
    if (name === '') field.child('name').required('must be a valid object name');
    validateBundleName(name, field.child('name'));
    if (labelSelector) {
      field.child('labelSelector').invalid(labelSelector, 'labelSelector must be unset if name is specified');
    }
  } else if (signerName !== undefined) {
    if (signerName === '') field.child('signerName').required('must be a valid signer name');
    validateSignerName(signerName, field.child('signerName'));
    validateLabelSelector(labelSelector, field.child('labelSelector'));
  } else field.required('either name or signerName must be specified');
  validateRequiredPath(path, field.child('path'));
}

/** Colons in the name stand for the slashes of its signer. (extractSignerNameFromClusterTrustBundleName) */
function validateBundleName(name: string, field: Field): void {
  const end = name.lastIndexOf(':');
  const signerName = end < 0 ? '' : name.slice(0, end).replaceAll(':', '/');
  for (const message of clusterTrustBundleName(name, signerName)) {
    field.invalid(name, `not a valid clustertrustbundlename: ${message}`);
  }
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const pathFields = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

function validatePodCertificateProjection(
  certificate: Unvalidated<core.PodCertificateProjection>,
  volume: ProjectedVolume,
  field: Field,
): void {
  const { signerName = '', userAnnotations, keyType = '', maxExpirationSeconds: seconds } = certificate;
  validateSignerName(signerName, field.child('signerName'));
  if (userAnnotations) validateUserAnnotations(userAnnotations, field.child('userAnnotations'));
  validateEnum(keyType, keyTypes, field.child('keyType'));
  if (seconds !== undefined) {
    const at = field.child('maxExpirationSeconds');
    const max = maxExpirationSecondsOf(signerName);
    if (seconds < 3600) at.invalid(seconds, 'if provided, maxExpirationSeconds must be >= 3600');
    if (seconds > max) at.invalid(seconds, `if provided, maxExpirationSeconds must be <= ${max}`);
  }
  for (const name of pathFields) {
    const path = certificate[name];
    if (!path) continue;
    validateLocalNonReservedPath(path, field.child(name));
    volume.add(path);
  }
  if (pathFields.every((name) => !certificate[name])) {
    field.required('specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
  }
}
