import type { Part } from '../../../machinery/object.ts';
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
export function validateEnv(variables: readonly Part[], field: Field): void {
  for (const [index, variable] of variables.entries()) {
    const at = field.index(index);
    if (!variable.name) at.child('name').required();
    else validateFormat(variable.name, environmentName, at.child('name'));
    if (variable.valueFrom !== undefined) validateEnvVarValueFrom(variable, at.child('valueFrom'));
  }
}

function validateEnvVarValueFrom({ value, valueFrom }: Part, path: Field): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef) validateObjectFieldSelector(fieldRef, environmentFields, path.child('fieldRef'));
  if (resourceFieldRef) validateContainerResourceFieldSelector(resourceFieldRef, false, path.child('resourceFieldRef'));
  if (configMapKeyRef) validateKeySelector(configMapKeyRef, path.child('configMapKeyRef'));
  if (secretKeyRef) validateKeySelector(secretKeyRef, path.child('secretKeyRef'));
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (count === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    path.invalid('', detail);
  } else if (value) {
    path.invalid('', 'may not be specified when `value` is not empty');
  } else if (count > 1) {
    path.invalid('', 'may not have more than one field specified at a time');
  }
}

/** A field of the pod: those that a volume can follow, or those that are known when a container starts. */
function validateObjectFieldSelector(ref: Part, fields: readonly string[], path: Field): void {
  if (!ref.apiVersion || !ref.fieldPath) {
    path.child(ref.apiVersion ? 'fieldPath' : 'apiVersion').required();
    return;
  }
  const [, name = ref.fieldPath, subscript] = /^([^[]+)\['(.*)'\]$/.exec(ref.fieldPath) ?? [];
  if (!knownFields.has(name)) {
    const detail = `error converting fieldPath: field label not supported: ${name}`;
    path.child('fieldPath').invalid(ref.fieldPath, detail);
  } else if (subscript === undefined) {
    if (!fields.includes(name)) path.child('fieldPath').notSupported(name, [...fields].sort());
  } else if (name === 'metadata.annotations') {
    validateFormat(subscript.toLowerCase(), qualifiedName, path);
  } else if (name === 'metadata.labels') {
    validateFormat(subscript, qualifiedName, path);
  } else {
    path.invalid(name, 'does not support subscript');
  }
}

const knownFields: ReadonlySet<string> = new Set([
  ...environmentFields,
  ...volumeFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

function validateContainerResourceFieldSelector(ref: Part, inVolume: boolean, field: Field): void {
  if (inVolume && !ref.containerName) field.child('containerName').required();
  else if (!ref.resource) field.child('resource').required();
  else if (
    !resourceFields.includes(ref.resource) &&
    !hugePagesFields.some((prefix) => ref.resource.startsWith(prefix))
  ) {
    field.child('resource').notSupported(ref.resource, resourceFields);
  }
}

function validateKeySelector({ name, key }: Part, field: Field): void {
  validateFormat(name ?? '', dnsSubdomain, field.child('name'));
  validateRequiredFormat(key, configMapKey, field.child('key'));
}

/** (ValidateEnvFrom) What is wrong with the choice of sources is said of the list. */
export function validateEnvFrom(sources: readonly Part[], path: Field): void {
  for (const [index, { prefix, configMapRef, secretRef }] of sources.entries()) {
    const at = path.index(index);
    if (prefix) validateFormat(prefix, environmentName, at.child('prefix'));
    if (configMapRef) validateRequiredFormat(configMapRef.name, dnsSubdomain, at.child('configMapRef', 'name'));
    if (secretRef) validateRequiredFormat(secretRef.name, dnsSubdomain, at.child('secretRef', 'name'));
    if (!configMapRef && !secretRef) {
      path.invalid('', 'must specify one of: `configMapRef` or `secretRef`');
    } else if (configMapRef && secretRef) {
      path.invalid('', 'may not have more than one field specified at a time');
    }
  }
}

/** A file of a downward API volume. */
export function validateDownwardAPIVolumeFile(file: Part, field: Field): void {
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
