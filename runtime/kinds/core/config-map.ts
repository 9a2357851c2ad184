import { Buffer } from 'node:buffer';
import type { KubeObject, Part } from '../../machinery/object.ts';
import { forbidden, invalid, tooLong } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { configMapKey } from '../../structural/formats.ts';
import type { Errors } from '../validation/fields.ts';

/** What one config map or secret holds at most: 1 MiB. */
export const maxConfigSize = 1024 * 1024;

export const encodedSize = (base64: string): number => Buffer.byteLength(base64, 'base64');

export function validateDataKeys(data: Part, path: FieldPath, errors: Errors): void {
  for (const key of Object.keys(data ?? {})) {
    for (const message of configMapKey(key)) errors.push(invalid(path.key(key), key, message));
  }
}

export function sizeOf(data: Part, size: (value: string) => number): number {
  let total = 0;
  for (const key of Object.keys(data ?? {})) total += size(String(data[key]));
  return total;
}

/** (pkg/apis/core/validation, ValidateConfigMap) */
export function validateConfigMap(config: Part, path: FieldPath, errors: Errors): void {
  validateDataKeys(config.data, path.child('data'), errors);
  for (const key of Object.keys(config.data ?? {})) {
    if (!Object.hasOwn(config.binaryData ?? {}, key)) continue;
    errors.push(invalid(path.child('data').key(key), key, 'duplicate of key present in binaryData'));
  }
  validateDataKeys(config.binaryData, path.child('binaryData'), errors);
  const size = sizeOf(config.data, (text) => Buffer.byteLength(text, 'utf8')) + sizeOf(config.binaryData, encodedSize);
  if (size > maxConfigSize) errors.push(tooLong(FieldPath.root, '', maxConfigSize));
}

export function validateImmutableData(
  object: Part,
  old: Part,
  names: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  if (!old.immutable) return;
  const detail = 'field is immutable when `immutable` is set';
  if (!object.immutable) errors.push(forbidden(path.child('immutable'), detail));
  for (const name of names) {
    if (!sameData(object[name], old[name])) errors.push(forbidden(path.child(name), detail));
  }
}

const sameData = (a: Part = {}, b: Part = {}): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.keys(a).every((key) => Object.hasOwn(b, key) && a[key] === b[key]);

export function validateConfigMapUpdate(config: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateImmutableData(config, old, ['data', 'binaryData'], path, errors);
}

export const countKeys = (map: Part): number => Object.keys(map ?? {}).length;

export const configMapData = ({ data, binaryData }: KubeObject): number => countKeys(data) + countKeys(binaryData);
