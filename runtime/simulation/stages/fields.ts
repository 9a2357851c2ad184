import { isJsonObject } from '../../machinery/json/values.ts';

/* Readers of a Stage's fields, which are not validated. All throw an Error that names the field. */

type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, field: string): Fields {
  if (isJsonObject(value)) return value;
  throw new Error(`${field}: ${value === undefined ? 'Required value' : 'must be an object'}`);
}

export const optional = (value: unknown, field: string): Fields | undefined =>
  value === undefined || value === null ? undefined : fieldsOf(value, field);

export function listOf(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new Error(`${field}: must be a list`);
}

export function text(value: unknown, field: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new Error(`${field}: must be a string`);
}

export function required(value: string, field: string): string {
  if (value === '') throw new Error(`${field}: Required value`);
  return value;
}

export function number(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value;
  throw new Error(`${field}: must be a number`);
}
