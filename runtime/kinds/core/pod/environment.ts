import type { Part } from '../../../machinery/object.ts';
import { invalid, notSupported, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { configMapKey, relaxedEnvVarName as environmentName } from '../../../structural/formats.ts';
import { type Errors, validateFormat, validateRequiredFormat } from '../../validation/fields.ts';

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
export function validateEnv(variables: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, variable] of variables.entries()) {
    const at = path.index(index);
    if (!variable.name) errors.push(required(at.child('name')));
    else validateFormat(variable.name, environmentName, at.child('name'), errors);
    if (variable.valueFrom !== undefined) validateEnvVarValueFrom(variable, at.child('valueFrom'), errors);
  }
}

function validateEnvVarValueFrom({ value, valueFrom }: Part, path: FieldPath, errors: Errors): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef) validateObjectFieldSelector(fieldRef, environmentFields, path.child('fieldRef'), errors);
  if (resourceFieldRef)
    validateContainerResourceFieldSelector(resourceFieldRef, false, path.child('resourceFieldRef'), errors);
  if (configMapKeyRef) validateKeySelector(configMapKeyRef, path.child('configMapKeyRef'), errors);
  if (secretKeyRef) validateKeySelector(secretKeyRef, path.child('secretKeyRef'), errors);
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (count === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalid(path, '', detail));
  } else if (value) {
    errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  } else if (count > 1) {
    errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  }
}

/** A field of the pod: those that a volume can follow, or those that are known when a container starts. */
function validateObjectFieldSelector(ref: Part, fields: readonly string[], path: FieldPath, errors: Errors): void {
  if (!ref.apiVersion || !ref.fieldPath) {
    errors.push(required(path.child(ref.apiVersion ? 'fieldPath' : 'apiVersion')));
    return;
  }
  const [, name = ref.fieldPath, subscript] = /^([^[]+)\['(.*)'\]$/.exec(ref.fieldPath) ?? [];
  if (!knownFields.has(name)) {
    const detail = `error converting fieldPath: field label not supported: ${name}`;
    errors.push(invalid(path.child('fieldPath'), ref.fieldPath, detail));
  } else if (subscript === undefined) {
    if (!fields.includes(name)) errors.push(notSupported(path.child('fieldPath'), name, [...fields].sort()));
  } else if (name === 'metadata.annotations') {
    validateFormat(subscript.toLowerCase(), qualifiedName, path, errors);
  } else if (name === 'metadata.labels') {
    validateFormat(subscript, qualifiedName, path, errors);
  } else {
    errors.push(invalid(path, name, 'does not support subscript'));
  }
}

const knownFields: ReadonlySet<string> = new Set([
  ...environmentFields,
  ...volumeFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

function validateContainerResourceFieldSelector(ref: Part, inVolume: boolean, path: FieldPath, errors: Errors): void {
  if (inVolume && !ref.containerName) errors.push(required(path.child('containerName')));
  else if (!ref.resource) errors.push(required(path.child('resource')));
  else if (
    !resourceFields.includes(ref.resource) &&
    !hugePagesFields.some((prefix) => ref.resource.startsWith(prefix))
  ) {
    errors.push(notSupported(path.child('resource'), ref.resource, resourceFields));
  }
}

function validateKeySelector({ name, key }: Part, path: FieldPath, errors: Errors): void {
  validateFormat(name ?? '', dnsSubdomain, path.child('name'), errors);
  validateRequiredFormat(key, configMapKey, path.child('key'), errors);
}

/** (ValidateEnvFrom) What is wrong with the choice of sources is said of the list. */
export function validateEnvFrom(sources: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, { prefix, configMapRef, secretRef }] of sources.entries()) {
    const at = path.index(index);
    if (prefix) validateFormat(prefix, environmentName, at.child('prefix'), errors);
    if (configMapRef) validateRequiredFormat(configMapRef.name, dnsSubdomain, at.child('configMapRef', 'name'), errors);
    if (secretRef) validateRequiredFormat(secretRef.name, dnsSubdomain, at.child('secretRef', 'name'), errors);
    if (!configMapRef && !secretRef) {
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef && secretRef) {
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    }
  }
}

/** A file of a downward API volume. */
export function validateDownwardAPIVolumeFile(file: Part, path: FieldPath, errors: Errors): void {
  if (file.fieldRef) {
    validateObjectFieldSelector(file.fieldRef, volumeFields, path.child('fieldRef'), errors);
    if (file.resourceFieldRef) {
      errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (file.resourceFieldRef) {
    validateContainerResourceFieldSelector(file.resourceFieldRef, true, path.child('resourceFieldRef'), errors);
  } else {
    errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  }
}
