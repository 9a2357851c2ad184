import { cloneJson } from '../../machinery/json/clone.ts';
import type { ObjectGrowth } from '../../machinery/json/object-growth.ts';
import { jsonSize } from '../../machinery/json/size.ts';
import { setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { elements } from '../values/list.ts';
import { formatDuration, formatTimestamp } from '../values/time.ts';
import { valueType } from '../values/types.ts';
import { type CelMap, intValue, isTagged, type Value } from '../values/value.ts';
import { ObjectValue } from './object-value.ts';

/** Thrown for a value without a JSON form. */
export class NotJsonError extends Error {
  readonly isNotJson = true;
}

export const isNotJson = (error: unknown): error is NotJsonError => (error as NotJsonError | undefined)?.isNotJson === true;

/**
 * Converts the result of an expression to independent JSON.
 *
 * @param growth counts the JSON. A list may repeat a long value many times, which costs the expression little.
 * @throws NotJsonError for types and values of libraries; StatusError 500 for more JSON than may be stored;
 *   EventLoopBudgetError
 */
export function nativeJson(value: Value, growth: ObjectGrowth): Json {
  if (value === null || typeof value !== 'object') {
    growth.add(typeof value === 'string' ? value.length + 2 : 1);
    return value;
  }
  if (value instanceof ObjectValue) return objectJson(value.fields, growth);
  if ('json' in value) {
    growth.add(jsonSize(value.json));
    return cloneJson(value.json as Json);
  }
  growth.add(2);
  switch (value.tag) {
    case 'list':
      return Array.from(elements(value), (element) => nativeJson(element, growth));
    case 'map':
      return mapJson(value, growth);
    case 'double':
      return value.value;
    case 'uint':
      return intValue(value.value);
    case 'bytes':
      growth.add(value.value.length);
      return Buffer.from(value.value).toString('base64');
    case 'timestamp':
      return formatTimestamp(value);
    case 'duration':
      return formatDuration(value.value);
    default:
      throw new NotJsonError(`type conversion error from '${valueType(value).name}' to '*structpb.Value'`);
  }
}

function objectJson(fields: ReadonlyMap<string, Value>, growth: ObjectGrowth): JsonObject {
  const object: JsonObject = {};
  growth.add(2);
  for (const [name, value] of fields) setMember(object, name, nativeJson(value, growth));
  return object;
}

function mapJson(map: CelMap, growth: ObjectGrowth): JsonObject {
  const object: JsonObject = {};
  for (const key of map.keys()) {
    if (isTagged(key, 'error') || key === null || (typeof key === 'object' && key.tag !== 'uint')) {
      throw new NotJsonError(`map key is of type ${valueType(key).name}, not string`);
    }
    const name = typeof key === 'object' ? String(key.value) : String(key);
    setMember(object, name, nativeJson(map.find(key) ?? null, growth));
  }
  return object;
}
