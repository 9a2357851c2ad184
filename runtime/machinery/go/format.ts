import type { Float64 } from '../json/float64.ts';
import { isJsonObject } from '../json/values.ts';
import type { Json } from '../object.ts';
import { quote } from './quote.ts';
import { goNumber } from './value.ts';

/** Formats decoded JSON as Go's `%v`. */
export function formatGoValue(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  if (!isJsonObject(value)) return formatScalar(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${key}:${formatGoValue(member)}`);
  return `map[${members.join(' ')}]`;
}

/** Formats decoded JSON as Go's `%#v`. */
export function formatGoSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return formatScalar(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${quote(key)}:${formatGoSyntax(member)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

function formatScalar(value: string | number | bigint | boolean | Float64): string {
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : goNumber(value);
}
