import { isJsonObject } from '../../../machinery/json/values.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { type FieldError, fieldErrorMessage, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { labelKey, labelValue } from '../../../machinery/validation/name-formats.ts';

const maxAnnotationBytes = 256 * 1024;

/**
 * Restores the metadata of a converted object, except labels and annotations, which a webhook may change.
 * (pkg/apiserver/conversion/webhook_converter.go restoreObjectMeta)
 *
 * @param original without metadata if server-side apply has pruned it
 * @returns the problem of the converted object's metadata, undefined for none
 */
export function restoreObjectMeta(original: Partial<KubeObject>, converted: KubeObject): string | undefined {
  const given: unknown = converted.metadata;
  if (given === undefined) return 'missing metadata in converted object';
  if (!isJsonObject(given)) return `invalid metadata of type ${goType(given)} in converted object`;
  const metadata: Record<string, unknown> = { ...structuredClone(original.metadata) };
  for (const field of ['labels', 'annotations'] as const) {
    const values = given[field];
    if (values === undefined || values === null) {
      delete metadata[field];
      continue;
    }
    if (!isJsonObject(values)) return `invalid metadata.${field} of type ${goType(values)} in converted object`;
    for (const [key, value] of Object.entries(values)) {
      if (typeof value === 'string') continue;
      return `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`;
    }
    const errors = field === 'labels' ? labelErrors(values) : annotationErrors(values);
    if (errors.length > 0 && differs(values, original.metadata?.[field])) {
      const texts = errors.map(fieldErrorMessage);
      return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
    }
    metadata[field] = values;
  }
  converted.metadata = metadata;
  return undefined;
}

function differs(values: Readonly<Record<string, unknown>>, old: Readonly<Record<string, string>> = {}): boolean {
  const keys = Object.keys(values);
  return keys.length !== Object.keys(old).length || keys.some((key) => values[key] !== old[key]);
}

function labelErrors(labels: Readonly<Record<string, unknown>>): FieldError[] {
  const path = FieldPath.of('metadata', 'labels');
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKey(key).map((why) => invalid(path, key, why)),
    ...labelValue(String(value)).map((why) => invalid(path, value, why)),
  ]);
}

function annotationErrors(annotations: Readonly<Record<string, unknown>>): FieldError[] {
  const path = FieldPath.of('metadata', 'annotation');
  const errors = Object.keys(annotations).flatMap((key) => labelKey(key.toLowerCase()).map((why) => invalid(path, key, why)));
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  if (size > maxAnnotationBytes) {
    errors.push({
      type: 'FieldValueTooLong',
      field: path.toString(),
      badValue: '',
      detail: `may not be more than ${maxAnnotationBytes} bytes`,
    });
  }
  return errors;
}

/** Go's name for the type of a decoded JSON value. */
function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'map[string]interface {}' : typeof value;
}
