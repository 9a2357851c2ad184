import { cloneJson } from '../../machinery/json/clone.ts';
import { setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { elements } from '../values/list.ts';
import { formatDuration, formatTimestamp } from '../values/time.ts';
import { valueType } from '../values/types.ts';
import { type CelMap, intValue, isTagged, type Value } from '../values/value.ts';
import { ObjectValue } from './object-value.ts';

/** A value has no JSON. */
export class NotJsonError extends Error {
  readonly isNotJson = true;
}

export const isNotJson = (error: unknown): error is NotJsonError =>
  (error as NotJsonError | undefined)?.isNotJson === true;

/** Converts the result of an expression to JSON of its own. @throws NotJsonError for types and values of libraries */
export function nativeJson(value: Value): Json {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof ObjectValue) return objectJson(value.fields);
  if ('json' in value) return cloneJson(value.json as Json);
  switch (value.tag) {
    case 'list':
      return Array.from(elements(value), nativeJson);
    case 'map':
      return mapJson(value);
    case 'double':
      return value.value;
    case 'uint':
      return intValue(value.value);
    case 'bytes':
      return Buffer.from(value.value).toString('base64');
    case 'timestamp':
      return formatTimestamp(value);
    case 'duration':
      return formatDuration(value.value);
    default:
      throw new NotJsonError(`type conversion error from '${valueType(value).name}' to '*structpb.Value'`);
  }
}

function objectJson(fields: ReadonlyMap<string, Value>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of fields) setMember(object, name, nativeJson(value));
  return object;
}

function mapJson(map: CelMap): JsonObject {
  const object: JsonObject = {};
  for (const key of map.keys()) {
    if (isTagged(key, 'error') || key === null || (typeof key === 'object' && key.tag !== 'uint')) {
      throw new NotJsonError(`map key is of type ${valueType(key).name}, not string`);
    }
    const name = typeof key === 'object' ? String(key.value) : String(key);
    setMember(object, name, nativeJson(map.find(key) ?? null));
  }
  return object;
}
