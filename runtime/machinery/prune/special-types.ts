import { DecodeError } from '../errors/decode-error.ts';
import { formatDuration, parseDuration } from '../scalars/duration.ts';
import { canonicalQuantity, quantityFormatError } from '../scalars/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../scalars/time.ts';
import type { PruneContext } from './context.ts';
import { int32, list, type Prune, string } from './values.ts';

/** Prune functions of the types with a JSON form of their own. Go reads them with UnmarshalJSON. */

/** `"100m"`, or a bare number; canonical. */
export function quantity(value: unknown): string {
  if (value == null) return '0';
  if (typeof value === 'string') return canonicalQuantity(value.trim());
  if (typeof value === 'number' || typeof value === 'bigint') return canonicalQuantity(String(value));
  throw new DecodeError(quantityFormatError);
}

export function intOrString(value: unknown, context: PruneContext, struct: string, field: string): number | string {
  return typeof value === 'string' ? value : int32(value, context, struct, field);
}

/** Null for Go's zero time. */
export function time(value: unknown, context: PruneContext, struct: string, field: string): string | null {
  return value == null ? null : canonicalTime(string(value, context, struct, field));
}

/** Null for Go's zero time. */
export function microTime(value: unknown, context: PruneContext, struct: string, field: string): string | null {
  return value == null ? null : canonicalMicroTime(string(value, context, struct, field));
}

export function duration(value: unknown, context: PruneContext, struct: string, field: string): string {
  // Go reads null as the empty text only where a pointer does not take it first.
  return value == null ? '0s' : formatDuration(parseDuration(string(value, context, struct, field)));
}

/** RawExtension, FieldsV1, JSON: any value, not looked into. Null for absence. */
export function untyped(value: unknown): unknown {
  return value ?? null;
}

/** JSONSchemaPropsOrBool: a schema, true or false. */
export function schemaOrBool(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  schema: Prune<unknown>,
): unknown {
  if (value == null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object' && !Array.isArray(value)) return lenient(context, struct, field, value, schema);
  throw new DecodeError('boolean or JSON schema expected');
}

/** JSONSchemaPropsOrArray: a schema or a list of them. */
export function schemaOrArray(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  schema: Prune<unknown>,
): unknown {
  if (Array.isArray(value)) {
    return lenient(context, struct, field, value, (items, inner, of, name) =>
      list(items, inner, of, name, '[]v1.JSONSchemaProps', schema),
    );
  }
  // Anything but an object or a list reads as neither, and that is written as null.
  if (typeof value !== 'object' || value === null) return null;
  return lenient(context, struct, field, value, schema);
}

/** JSONSchemaPropsOrStringArray: a schema or a list of strings. */
export function schemaOrStringArray(
  value: unknown,
  context: PruneContext,
  struct: string,
  field: string,
  schema: Prune<unknown>,
): unknown {
  if (Array.isArray(value)) return list(value, context, struct, field, '[]string', string);
  if (typeof value !== 'object' || value === null) return null;
  return lenient(context, struct, field, value, schema);
}

/** Go reads these unions with a decoder of their own, which does not report unknown fields. */
function lenient(context: PruneContext, struct: string, field: string, value: unknown, prune: Prune<unknown>): unknown {
  const collects = context.collectUnknown;
  context.collectUnknown = false;
  const output = prune(value, context, struct, field, '');
  context.collectUnknown = collects;
  return output;
}
