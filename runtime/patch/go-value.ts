import { quote } from '../machinery/go/quote.ts';
import type { Json } from '../machinery/object.ts';

/** Formats decoded JSON as Go's `%v`. */
export function formatGoValue(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${formatGoValue(value[key])}`);
  return `map[${members.join(' ')}]`;
}

/** Formats decoded JSON as Go's `%#v`. */
export function formatGoSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${quote(key)}:${formatGoSyntax(value[key])}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
