import { DecodeError, isDecodeError } from '../errors/decode-error.ts';
import { Float64 } from '../json/float64.ts';
import { isJsonObject } from '../json/values.ts';
import { canonicalBase64 } from '../scalars/bytes.ts';
import { maxInt64, maxUint64, minInt64 } from '../scalars/integers.ts';
import type { IntegerRange, PruneContext } from './context.ts';

export function string(value: unknown, context: PruneContext, field: string, goType = 'string'): string {
  if (typeof value === 'string') return value;
  return value == null ? '' : context.typeMismatch(value, field, goType, 'string');
}

export function bool(value: unknown, context: PruneContext, field: string, goType = 'bool'): boolean {
  if (typeof value === 'boolean') return value;
  return value == null ? false : context.typeMismatch(value, field, goType, 'bool');
}

const int32Range: IntegerRange = { kind: 'int32', min: -0x80000000n, max: 0x7fffffffn };
const uint32Range: IntegerRange = { kind: 'uint32', min: 0n, max: 0xffffffffn };
const int64Range: IntegerRange = { kind: 'int64', min: minInt64, max: maxInt64 };
const uint64Range: IntegerRange = { kind: 'uint64', min: 0n, max: maxUint64 };

export function int32(value: unknown, context: PruneContext, field: string, goType = 'int32'): number {
  if (typeof value === 'number' && (value | 0) === value) return value | 0;
  return Number(context.integer(value, field, goType, int32Range));
}

export function uint32(value: unknown, context: PruneContext, field: string, goType = 'uint32'): number {
  if (typeof value === 'number' && value >>> 0 === value) return value >>> 0;
  return Number(context.integer(value, field, goType, uint32Range));
}

/** Reads an int64: a bigint beyond 2^53, a number otherwise. */
export function int64(value: unknown, context: PruneContext, field: string, goType = 'int64'): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  return context.integer(value, field, goType, int64Range);
}

export function uint64(value: unknown, context: PruneContext, field: string, goType = 'uint64'): number | bigint {
  return context.integer(value, field, goType, uint64Range);
}

export function double(value: unknown, context: PruneContext, field: string, goType = 'float64'): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Float64) return value.value;
  return value == null ? 0 : context.typeMismatch(value, field, goType, 'float64');
}

/** Reads bytes as base64. Returns null for null, as Go writes nil; an item is empty in place of nil, as after Go has stored it. */
export function bytes(value: unknown, context: PruneContext, field: string, goType = '[]uint8'): string | null {
  if (typeof value === 'string') return context.converts ? convertBase64(value) : canonicalBase64(value);
  if (value != null) context.typeMismatch(value, field, goType, 'slice');
  return field === '' ? '' : null;
}

function convertBase64(text: string): string {
  try {
    return canonicalBase64(text);
  } catch (error) {
    throw isDecodeError(error) ? new DecodeError(`error decoding from json: ${error.message}`) : error;
  }
}

/** Reports whether `omitempty` leaves the list field out. */
export function isEmptyList(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.length === 0);
}

/** Reports whether `omitempty` leaves the map field out. */
export function isEmptyMap(value: unknown): boolean {
  if (value == null) return true;
  if (!isJsonObject(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
