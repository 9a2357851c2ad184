import { Buffer } from 'node:buffer';
import type { ConfigMap as GeneratedConfigMap } from '../../../generated/v1.35/core/v1/types.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { configMapKey } from '../../structural/formats.ts';
import { validateFormat } from '../validation/fields.ts';
import { validatedBy } from '../validation/validated-by.ts';

/** ConfigMaps, and rules for both ConfigMaps and Secrets. (pkg/apis/core/validation) */

type ConfigMap = Unvalidated<GeneratedConfigMap>;
export type Data = Readonly<Record<string, string>>;

/** 1 MiB. (MaxSecretSize) */
export const maxDataSize = 1024 * 1024;

/** Returns the number of bytes that the text encodes. */
export const base64Size = (base64: string): number => Buffer.byteLength(base64, 'base64');

export function validateDataKeys(data: Data | undefined, field: Field): void {
  for (const key of Object.keys(data ?? {})) validateFormat(key, configMapKey, field.key(key));
}

export function dataSize(data: Data | undefined, sizeOf: (value: string) => number): number {
  let total = 0;
  for (const value of Object.values(data ?? {})) total += sizeOf(String(value));
  return total;
}

/** (ValidateConfigMap) */
function validateConfigMap({ data, binaryData }: ConfigMap, field: Field): void {
  validateDataKeys(data, field.child('data'));
  for (const key of Object.keys(data ?? {})) {
    if (!Object.hasOwn(binaryData ?? {}, key)) continue;
    field.child('data').key(key).invalid(key, 'duplicate of key present in binaryData');
  }
  validateDataKeys(binaryData, field.child('binaryData'));
  const size = dataSize(data, (text) => Buffer.byteLength(text, 'utf8')) + dataSize(binaryData, base64Size);
  if (size > maxDataSize) Field.at(FieldPath.unnamed, field.errors).tooLong('', maxDataSize);
}

/** An object whose data can be made immutable. */
interface DataHolder {
  readonly immutable?: boolean;
  readonly data?: Data;
  readonly binaryData?: Data;
}

/** Once `immutable` is set, it and the data cannot change. */
export function validateImmutableData(object: DataHolder, old: DataHolder, field: Field): void {
  if (!old.immutable) return;
  const detail = 'field is immutable when `immutable` is set';
  if (!object.immutable) field.child('immutable').forbidden(detail);
  for (const name of ['data', 'binaryData'] as const) {
    if (!equalJson(object[name] ?? {}, old[name] ?? {})) field.child(name).forbidden(detail);
  }
}

/** (ValidateConfigMapUpdate) */
function validateConfigMapUpdate(config: ConfigMap, old: ConfigMap, field: Field): void {
  validateImmutableData(config, old, field);
  validateConfigMap(config, field);
}

/** (pkg/registry/core/configmap/strategy.go) */
export const configMapStrategy: RESTStrategy = validatedBy(validateConfigMap, validateConfigMapUpdate);

export const configMapData = ({ data, binaryData }: ConfigMap): number =>
  Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length;
