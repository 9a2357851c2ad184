import { DecodeError } from '../errors/decode-error.ts';
import { formatDuration, parseDuration } from '../go/duration.ts';
import { Float64 } from '../json/float64.ts';
import { isJsonObject } from '../json/values.ts';
import { canonicalQuantity, quantityFormatError } from '../scalars/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../scalars/time.ts';
import type { Prune, PruneContext } from './context.ts';
import { int32, string } from './values.ts';

// Prune functions of types that implement UnmarshalJSON in Go.

/** Reads `"100m"` or a bare number, in canonical form. */
export function quantity(value: unknown): string {
  if (value == null) return '0';
  if (typeof value === 'string') return canonicalQuantity(value.trim());
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float64) return canonicalQuantity(String(value));
  throw new DecodeError(quantityFormatError);
}

export function intOrString(value: unknown, context: PruneContext, field: string): number | string {
  return typeof value === 'string' ? value : asJson(value, context, field, int32);
}

/** Returns null for Go's zero time. */
export function time(value: unknown, context: PruneContext, field: string): string | null {
  return value == null ? null : canonicalTime(text(value, context, field));
}

/** Returns null for Go's zero time. */
export function microTime(value: unknown, context: PruneContext, field: string): string | null {
  return value == null ? null : canonicalMicroTime(text(value, context, field));
}

export function duration(value: unknown, context: PruneContext, field: string): string {
  // Go reads null as an empty string, unless the field is a pointer.
  return value == null ? '0s' : formatDuration(parseDuration(text(value, context, field)));
}

/** RawExtension, FieldsV1, JSON: returns any value unchanged, and null for an absent one. */
export function untyped(value: unknown): unknown {
  return value ?? null;
}

/** JSONSchemaPropsOrBool: a schema, true or false. */
export function schemaOrBool(value: unknown, context: PruneContext, field: string, schema: Prune<unknown>): unknown {
  if (value == null) return false;
  if (typeof value === 'boolean') return value;
  if (isJsonObject(value)) return notStrict(value, context, field, schema);
  throw new DecodeError('boolean or JSON schema expected');
}

/** JSONSchemaPropsOrArray: a schema or a list of them. */
export function schemaOrArray(value: unknown, context: PruneContext, field: string, schema: Prune<unknown>): unknown {
  if (Array.isArray(value)) {
    return notStrict(value, context, field, (items, inner, name) => inner.list(items, name, '[]v1.JSONSchemaProps', schema));
  }
  // Any other value than an object or a list is empty in Go, which writes null.
  if (!isJsonObject(value)) return null;
  return notStrict(value, context, field, schema);
}

/** JSONSchemaPropsOrStringArray: a schema or a list of strings. */
export function schemaOrStringArray(value: unknown, context: PruneContext, field: string, schema: Prune<unknown>): unknown {
  if (Array.isArray(value)) return asJson(value, context, field, (list, inner, name) => inner.list(list, name, '[]string', string));
  if (!isJsonObject(value)) return null;
  return notStrict(value, context, field, schema);
}

/** Prunes without reports of unknown fields: the Go decoders of these unions are not strict. */
function notStrict(value: unknown, context: PruneContext, field: string, prune: Prune<unknown>): unknown {
  const { collectUnknown } = context;
  context.collectUnknown = false;
  const output = asJson(value, context, field, (own, inner, name) => prune(own, inner, name, ''));
  context.collectUnknown = collectUnknown;
  return output;
}

const text = (value: unknown, context: PruneContext, field: string): string =>
  typeof value === 'string' ? value : asJson(value, context, field, string);

/** Reads a type with its own decoder, which reads JSON even in a conversion. */
function asJson<T>(
  value: unknown,
  context: PruneContext,
  field: string,
  prune: (value: unknown, context: PruneContext, field: string) => T,
): T {
  const { converts } = context;
  context.converts = false;
  const output = prune(value, context, field);
  context.converts = converts;
  return output;
}
