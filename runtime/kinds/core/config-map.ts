import { Buffer } from 'node:buffer';
import type { KubeObject, Part } from '../../machinery/object.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { configMapKey } from '../../structural/formats.ts';

/** What one config map or secret holds at most: 1 MiB. */
export const maxConfigSize = 1024 * 1024;

export const encodedSize = (base64: string): number => Buffer.byteLength(base64, 'base64');

export function validateDataKeys(data: Part, field: Field): void {
  for (const key of Object.keys(data ?? {})) {
    for (const message of configMapKey(key)) field.key(key).invalid(key, message);
  }
}

export function sizeOf(data: Part, size: (value: string) => number): number {
  let total = 0;
  for (const key of Object.keys(data ?? {})) total += size(String(data[key]));
  return total;
}

/** (pkg/apis/core/validation, ValidateConfigMap) */
export function validateConfigMap(config: Part, field: Field): void {
  validateDataKeys(config.data, field.child('data'));
  for (const key of Object.keys(config.data ?? {})) {
    if (!Object.hasOwn(config.binaryData ?? {}, key)) continue;
    field.child('data').key(key).invalid(key, 'duplicate of key present in binaryData');
  }
  validateDataKeys(config.binaryData, field.child('binaryData'));
  const size = sizeOf(config.data, (text) => Buffer.byteLength(text, 'utf8')) + sizeOf(config.binaryData, encodedSize);
  if (size > maxConfigSize) Field.at(FieldPath.root, field.errors).tooLong('', maxConfigSize);
}

export function validateImmutableData(object: Part, old: Part, names: readonly string[], path: Field): void {
  if (!old.immutable) return;
  const detail = 'field is immutable when `immutable` is set';
  if (!object.immutable) path.child('immutable').forbidden(detail);
  for (const name of names) {
    if (!sameData(object[name], old[name])) path.child(name).forbidden(detail);
  }
}

const sameData = (a: Part = {}, b: Part = {}): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.keys(a).every((key) => Object.hasOwn(b, key) && a[key] === b[key]);

export function validateConfigMapUpdate(config: Part, old: Part, field: Field): void {
  validateImmutableData(config, old, ['data', 'binaryData'], field);
}

export const countKeys = (map: Part): number => Object.keys(map ?? {}).length;

export const configMapData = ({ data, binaryData }: KubeObject): number => countKeys(data) + countKeys(binaryData);
