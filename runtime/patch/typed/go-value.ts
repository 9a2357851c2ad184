import { quote } from '../../machinery/go/quote.ts';
import type { Json } from '../../machinery/object.ts';

/** How Go prints decoded JSON in messages. */

/** `%v` */
export function plainGoValue(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(plainGoValue).join(' ')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${plainGoValue(value[key])}`);
  return `map[${members.join(' ')}]`;
}

/** `%#v` */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${quote(key)}:${goSyntax(value[key])}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
