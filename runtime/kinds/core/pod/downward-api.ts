import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { canonicalQuantity } from '../../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { validateFormat } from '../../validation/fields.ts';
import { quantityOf } from '../resource-list.ts';

/** The fields of a pod that its containers and volumes may read. (pkg/apis/core/validation) */

/** Fields for variables, in the order of messages. (validEnvDownwardAPIFieldPathExpressions) */
export const environmentFields = [
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
/** Fields for volumes, in the order of messages. (validVolumeDownwardAPIFieldPathExpressions) */
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

/** (ConvertDownwardAPIFieldLabel) */
const knownFields: ReadonlySet<string> = new Set([
  ...environmentFields,
  ...volumeFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/**
 * Splits `a['b']` into the path and the subscript. Returns undefined without a subscript. (SplitMaybeSubscriptedPath)
 */
function splitMaybeSubscriptedPath(fieldPath: string): { readonly path: string; readonly subscript: string } | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const start = fieldPath.slice(0, -2).indexOf("['");
  if (start <= 0) return undefined;
  return { path: fieldPath.slice(0, start), subscript: fieldPath.slice(start + 2, -2) };
}

/**
 * (validateObjectFieldSelector)
 *
 * @param fields the fields that are allowed without a subscript
 */
export function validateObjectFieldSelector(
  { apiVersion, fieldPath }: Unvalidated<core.ObjectFieldSelector>,
  fields: readonly string[],
  field: Field,
): void {
  if (!apiVersion || !fieldPath) {
    field.child(apiVersion ? 'fieldPath' : 'apiVersion').required();
    return;
  }
  const split = splitMaybeSubscriptedPath(fieldPath);
  const problem = conversionProblem(apiVersion, fieldPath, split?.path);
  if (problem !== undefined) {
    field.child('fieldPath').invalid(fieldPath, `error converting fieldPath: ${problem}`);
  } else if (split !== undefined) {
    const { path, subscript } = split;
    validateFormat(path === 'metadata.annotations' ? subscript.toLowerCase() : subscript, qualifiedName, field);
  } else {
    const name = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath; // as very old clients say
    if (!fields.includes(name)) field.child('fieldPath').notSupported(name, fields);
  }
}

/**
 * (ConvertDownwardAPIFieldLabel)
 *
 * @param path before the subscript; undefined without one
 */
function conversionProblem(apiVersion: string, fieldPath: string, path: string | undefined): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  if (path !== undefined) {
    const isMap = path === 'metadata.annotations' || path === 'metadata.labels';
    return isMap ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  if (fieldPath === 'spec.host' || knownFields.has(fieldPath)) return undefined;
  return `field label not supported: ${fieldPath}`;
}

/**
 * (validateContainerResourceFieldSelector)
 *
 * @param inVolume true if the selector must name a container
 */
export function validateContainerResourceFieldSelector(
  { containerName, resource = '', divisor }: Unvalidated<core.ResourceFieldSelector>,
  inVolume: boolean,
  field: Field,
): void {
  if (inVolume && !containerName) field.child('containerName').required();
  else if (!resource) field.child('resource').required();
  else if (!resourceFields.includes(resource) && !isHugePagesField(resource)) {
    field.child('resource').notSupported(resource, resourceFields);
  }
  if (divisor !== undefined) validateContainerResourceDivisor(resource, divisor, field.child('divisor'));
}

const isHugePagesField = (resource: string): boolean => hugePagesFields.some((prefix) => resource.startsWith(prefix));

const bytes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** The error shows the resource as the invalid value, as upstream. (validateContainerResourceDivisor) */
function validateContainerResourceDivisor(resource: string, divisor: string, field: Field): void {
  if (quantityOf(divisor).unscaled === 0n) return;
  const text = canonicalQuantity(String(divisor));
  if (resource === 'limits.cpu' || resource === 'requests.cpu') {
    if (text !== '1m' && text !== '1') {
      field.invalid(resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    }
    return;
  }
  const kind = kindOfBytes(resource);
  if (kind === undefined || bytes.includes(text)) return;
  field.invalid(resource, `only divisor's values ${bytes.join(', ')} are supported with the ${kind} resource`);
}

function kindOfBytes(resource: string): string | undefined {
  if (resource === 'limits.memory' || resource === 'requests.memory') return 'memory';
  if (resource === 'limits.ephemeral-storage' || resource === 'requests.ephemeral-storage') {
    return 'local ephemeral storage';
  }
  return isHugePagesField(resource) ? 'hugepages' : undefined;
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
