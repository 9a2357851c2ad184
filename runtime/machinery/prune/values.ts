import { setMember } from '../json/values.ts';
import { canonicalBase64 } from '../scalars/bytes.ts';
import { canonicalInt64, maxInt64, maxUint64, minInt64 } from '../scalars/integers.ts';
import type { PruneContext } from './context.ts';

/**
 * Reads one JSON value as a Go type: what generated code calls for each field. `undefined` and null read as the
 * type's zero value; anything else of the wrong type throws DecodeError.
 *
 * @param struct Go name of the struct that has the field
 * @param field its JSON name; "" in lists and maps, where the path is complete
 * @param goType the type that errors name
 */
export type Prune<T> = (value: unknown, context: PruneContext, struct: string, field: string, goType: string) => T;

export function string(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType = 'string',
): string {
  if (typeof value === 'string') return value;
  return value == null ? '' : context.fieldMismatch(value, struct, field, goType);
}

export function bool(value: unknown, context: PruneContext, struct: string, field: string, goType = 'bool'): boolean {
  if (typeof value === 'boolean') return value;
  return value == null ? false : context.fieldMismatch(value, struct, field, goType);
}

export function int32(value: unknown, context: PruneContext, struct: string, field: string, goType = 'int32'): number {
  if (typeof value === 'number' && (value | 0) === value) return value | 0;
  return Number(integer(value, -0x80000000n, 0x7fffffffn, context, struct, field, goType));
}

export function uint32(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType = 'uint32',
): number {
  if (typeof value === 'number' && value >>> 0 === value) return value >>> 0;
  return Number(integer(value, 0n, 0xffffffffn, context, struct, field, goType));
}

/** A bigint beyond 2^53, a number otherwise. */
export function int64(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType = 'int64',
): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  return integer(value, minInt64, maxInt64, context, struct, field, goType);
}

export function uint64(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType = 'uint64',
): number | bigint {
  return integer(value, 0n, maxUint64, context, struct, field, goType);
}

function integer(
  value: unknown,
  min: bigint,
  max: bigint,
  context: PruneContext,
  struct: string,
  field: string,
  goType: string,
): number | bigint {
  if (value == null) return 0;
  if (typeof value !== 'number' && typeof value !== 'bigint') context.fieldMismatch(value, struct, field, goType);
  if (typeof value === 'number' && !Number.isInteger(value)) context.outOfRange(value, struct, field, goType);
  const exact = BigInt(value);
  if (exact < min || exact > max) context.outOfRange(value, struct, field, goType);
  return canonicalInt64(exact);
}

export function double(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType = 'float64',
): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value == null ? 0 : context.fieldMismatch(value, struct, field, goType);
}

/** base64; null for null, which Go's nil is written as. */
export function bytes(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType = '[]uint8',
): string | null {
  if (typeof value === 'string') return canonicalBase64(value);
  return value == null ? null : context.fieldMismatch(value, struct, field, goType);
}

/** Null for null, which Go's nil slice is written as. */
export function list<T>(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType: string,
  item: Prune<T>,
): T[] | null {
  if (value == null) return null;
  if (!Array.isArray(value)) context.fieldMismatch(value, struct, field, goType);
  const output: T[] = [];
  if (value.length === 0) return output;
  const itemType = goType.startsWith('[]') ? goType.slice(2) : goType;
  const path = context.path;
  if (field !== '') path.push(field);
  const at = path.push(0) - 1;
  for (let index = 0; index < value.length; index++) {
    path[at] = index;
    output.push(item(value[index], context, struct, '', itemType));
  }
  path.pop();
  if (field !== '') path.pop();
  return output;
}

/** Keys in Go's order; null for null, which Go's nil map is written as. */
export function map<T>(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  goType: string,
  item: Prune<T>,
): Record<string, T> | null {
  if (value == null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) context.fieldMismatch(value, struct, field, goType);
  const itemType = goType.startsWith('map[') ? goType.slice(goType.indexOf(']') + 1) : goType;
  const output: Record<string, T> = {};
  const path = context.path;
  if (field !== '') path.push(field);
  for (const key of sortedKeys(value)) {
    path.push({ key });
    setMember(output, key, item((value as Record<string, unknown>)[key], context, struct, '', itemType));
    path.pop();
  }
  if (field !== '') path.pop();
  return output;
}

/** The keys of a map in the order Go writes them: by their UTF-8 bytes. */
export function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  // Maps that were pruned are in order, and looking is cheaper than sorting.
  for (let index = 1; index < keys.length; index++) {
    if (!isBefore(keys[index - 1], keys[index])) return sortByUtf8(keys);
  }
  return keys;
}

function sortByUtf8(keys: string[]): string[] {
  keys.sort();
  return keys.some((key) => /[\ud800-\udfff]/.test(key)) ? keys.sort(byUtf8) : keys;
}

/** Whether the first of two keys is smaller for certain: surrogates sort elsewhere in UTF-8 than in UTF-16. */
function isBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return left < right && right < 0xd800;
  }
  return a.length < b.length;
}

function byUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** True for what `omitempty` leaves out of a list field. */
export function isEmptyList(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.length === 0);
}

/** True for what `omitempty` leaves out of a map field. */
export function isEmptyMap(value: unknown): boolean {
  if (value == null) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
