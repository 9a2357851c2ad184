import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { configMapKey, relaxedEnvVarName as environmentName } from '../../../structural/formats.ts';
import { validateFormat, validateRequiredFormat } from '../../validation/fields.ts';

const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const volumeFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const hugePagesFields = ['limits.hugepages-', 'requests.hugepages-'];

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

/** @param value the plain value of the variable, which excludes a source */
function validateEnvVarValueFrom(
  source: Unvalidated<core.EnvVarSource>,
  value: string | undefined,
  field: Field,
): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef) validateObjectFieldSelector(fieldRef, environmentFields, field.child('fieldRef'));
  if (resourceFieldRef)
    validateContainerResourceFieldSelector(resourceFieldRef, false, field.child('resourceFieldRef'));
  if (configMapKeyRef) validateKeySelector(configMapKeyRef, field.child('configMapKeyRef'));
  if (secretKeyRef) validateKeySelector(secretKeyRef, field.child('secretKeyRef'));
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (count === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    field.invalid('', detail);
  } else if (value) {
    field.invalid('', 'may not be specified when `value` is not empty');
  } else if (count > 1) {
    field.invalid('', 'may not have more than one field specified at a time');
  }
}

/** @param fields that a selector without a subscript may name */
function validateObjectFieldSelector(
  ref: Unvalidated<core.ObjectFieldSelector>,
  fields: readonly string[],
  field: Field,
): void {
  if (!ref.apiVersion || !ref.fieldPath) {
    field.child(ref.apiVersion ? 'fieldPath' : 'apiVersion').required();
    return;
  }
  const [, name = ref.fieldPath, subscript] = /^([^[]+)\['(.*)'\]$/.exec(ref.fieldPath) ?? [];
  if (!knownFields.has(name)) {
    const detail = `error converting fieldPath: field label not supported: ${name}`;
    field.child('fieldPath').invalid(ref.fieldPath, detail);
  } else if (subscript === undefined) {
    if (!fields.includes(name)) field.child('fieldPath').notSupported(name, [...fields].sort());
  } else if (name === 'metadata.annotations') {
    validateFormat(subscript.toLowerCase(), qualifiedName, field);
  } else if (name === 'metadata.labels') {
    validateFormat(subscript, qualifiedName, field);
  } else {
    field.invalid(name, 'does not support subscript');
  }
}

const knownFields: ReadonlySet<string> = new Set([
  ...environmentFields,
  ...volumeFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

function validateContainerResourceFieldSelector(
  { containerName, resource }: Unvalidated<core.ResourceFieldSelector>,
  inVolume: boolean,
  field: Field,
): void {
  if (inVolume && !containerName) field.child('containerName').required();
  else if (!resource) field.child('resource').required();
  else if (!resourceFields.includes(resource) && !hugePagesFields.some((prefix) => resource.startsWith(prefix))) {
    field.child('resource').notSupported(resource, resourceFields);
  }
}

function validateKeySelector(
  { name, key }: Unvalidated<core.ConfigMapKeySelector | core.SecretKeySelector>,
  field: Field,
): void {
  validateFormat(name ?? '', dnsSubdomain, field.child('name'));
  validateRequiredFormat(key, configMapKey, field.child('key'));
}

/** (ValidateEnvFrom) A missing or ambiguous source is an error of the list, as upstream. */
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

/** (validateDownwardAPIVolumeFile) */
export function validateDownwardAPIVolumeFile(file: Unvalidated<core.DownwardAPIVolumeFile>, field: Field): void {
  if (file.fieldRef) {
    validateObjectFieldSelector(file.fieldRef, volumeFields, field.child('fieldRef'));
    if (file.resourceFieldRef) {
      field.invalid('resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (file.resourceFieldRef) {
    validateContainerResourceFieldSelector(file.resourceFieldRef, true, field.child('resourceFieldRef'));
  } else {
    field.required('one of fieldRef and resourceFieldRef is required');
  }
}
