import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { configMapKey, relaxedEnvVarName as environmentName } from '../../../structural/formats.ts';
import { validateFormat, validateRequiredFormat } from '../../validation/fields.ts';
import { validatePathNoBacksteps } from '../volume-sources.ts';
import { containerLists } from './container-visitor.ts';
import { environmentFields, validateContainerResourceFieldSelector, validateObjectFieldSelector } from './downward-api.ts';
import type { Volumes } from './volume-mounts.ts';

/** Variables of containers. (pkg/apis/core/validation) */

/** (pkg/apis/core/validation, ValidateEnv) */
export function validateEnv(variables: readonly Unvalidated<core.EnvVar>[], field: Field): void {
  for (const [index, variable] of variables.entries()) {
    const at = field.index(index);
    if (!variable.name) at.child('name').required();
    else validateFormat(variable.name, environmentName, at.child('name'));
    if (variable.valueFrom !== undefined) {
      validateEnvVarValueFrom(variable.valueFrom, variable.value, at.child('valueFrom'));
    }
  }
}

/**
 * (validateEnvVarValueFrom)
 *
 * @param value the plain value of the variable, which forbids a source
 */
function validateEnvVarValueFrom(source: Unvalidated<core.EnvVarSource>, value: string | undefined, field: Field): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef) validateObjectFieldSelector(fieldRef, environmentFields, field.child('fieldRef'));
  if (resourceFieldRef) validateContainerResourceFieldSelector(resourceFieldRef, false, field.child('resourceFieldRef'));
  if (configMapKeyRef) validateKeySelector(configMapKeyRef, field.child('configMapKeyRef'));
  if (secretKeyRef) validateKeySelector(secretKeyRef, field.child('secretKeyRef'));
  if (fileKeyRef) validateFileKeySelector(fileKeyRef, field.child('fileKeyRef'));
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (count === 0) {
    const detail = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    field.invalid('', detail);
  } else if (value) field.invalid('', 'may not be specified when `value` is not empty');
  else if (count > 1) field.invalid('', 'may not have more than one field specified at a time');
}

/** (validateConfigMapKeySelector, validateSecretKeySelector) */
function validateKeySelector({ name = '', key }: Unvalidated<core.ConfigMapKeySelector | core.SecretKeySelector>, field: Field): void {
  validateFormat(name, dnsSubdomain, field.child('name'));
  validateRequiredFormat(key, configMapKey, field.child('key'));
}

/** (validateFileKeySelector) */
function validateFileKeySelector({ key, volumeName, path }: Unvalidated<core.FileKeySelector>, field: Field): void {
  validateRequiredFormat(key, environmentName, field.child('key'));
  validateRequiredFormat(volumeName, dnsLabel, field.child('volumeName'));
  if (!path) field.child('path').required();
  else validatePathNoBacksteps(path, field.child('path'));
}

/** Files with variables must be in an empty directory. (validateFileKeyRefVolumes) */
export function validateFileKeyRefVolumes(spec: Unvalidated<core.PodSpec>, field: Field): void {
  let volumes: Volumes | undefined;
  for (const list of containerLists) {
    for (const [index, { env }] of (spec[list] ?? []).entries()) {
      for (const [envIndex, { valueFrom }] of (env ?? []).entries()) {
        if (!valueFrom?.fileKeyRef) continue;
        const { volumeName = '' } = valueFrom.fileKeyRef;
        volumes ??= new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]));
        const volume = volumes.get(volumeName);
        if (volume?.emptyDir) continue;
        const source = field.child(list).index(index).child('env').index(envIndex).child('valueFrom');
        const at = source.child('fileKeyRef', 'volumeName');
        if (volume === undefined) at.notFound(volumeName);
        else at.invalid(volumeName, 'referenced volume must be of type emptyDir');
      }
    }
  }
}

/** A missing or ambiguous source is an error of the list, as upstream. (ValidateEnvFrom) */
export function validateEnvFrom(sources: readonly Unvalidated<core.EnvFromSource>[], field: Field): void {
  for (const [index, { prefix, configMapRef, secretRef }] of sources.entries()) {
    const at = field.index(index);
    if (prefix) validateFormat(prefix, environmentName, at.child('prefix'));
    if (configMapRef) validateRequiredFormat(configMapRef.name, dnsSubdomain, at.child('configMapRef', 'name'));
    if (secretRef) validateRequiredFormat(secretRef.name, dnsSubdomain, at.child('secretRef', 'name'));
    if (!configMapRef && !secretRef) {
      field.invalid('', 'must specify one of: `configMapRef` or `secretRef`');
    } else if (configMapRef && secretRef) {
      field.invalid('', 'may not have more than one field specified at a time');
    }
  }
}
