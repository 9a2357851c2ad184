import type { Json } from '../../machinery/object.ts';
import { Bytes, Double, intValue, Uint, type Value } from './value.ts';

/** The JSON a value came from, or would be written as. */
export function plainJson(value: Value): Json {
  if (value === null || typeof value !== 'object') return value;
  if ('json' in value) return value.json as Json;
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return intValue(value.value);
  if (value instanceof Bytes) return Buffer.from(value.value).toString('base64');
  if (value.tag === 'list') return Array.from({ length: value.size }, (_, i) => plainJson(value.at(i)));
  return null;
}
