import { Float64 } from '../json/float64.ts';
import type { Json } from '../object.ts';

/** Returns the Go type of a JSON value that is decoded without a schema, as `%T` prints it. */
export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'object':
      return value instanceof Float64 ? 'float64' : 'map[string]interface {}';
    case 'number':
      return Number.isSafeInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return 'int64';
    default:
      return 'string';
  }
}
