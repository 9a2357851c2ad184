import { stableText } from '../../machinery/json/equality.ts';
import { Float64, withoutFloat64 } from '../../machinery/json/float64.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { countStep } from './cost.ts';
import { type Junctors, kinds, type SchemaNode } from './nodes.ts';
import { boundFor, isInt64, isJsonInteger, multipleProblem, type Numeric } from './numbers.ts';

/**
 * Reports whether a value matches its schema. Every write calls it, and nearly every value matches. `explain` finds the
 * errors of other values.
 */
export function isValid(node: SchemaNode, value: unknown): boolean {
  countStep();
  switch (typeof value) {
    case 'string':
      if ((node.accepts & kinds.string) === 0 || !goodString(node, value)) return false;
      break;
    case 'number':
    case 'bigint':
      if ((node.accepts & numberKind(value)) === 0 || !goodNumber(node, value)) return false;
      break;
    case 'boolean':
      if ((node.accepts & kinds.boolean) === 0) return false;
      break;
    default:
      if (value === null || value === undefined) return (node.accepts & kinds.null) !== 0 && node.enum === undefined;
      if (Array.isArray(value)) {
        if ((node.accepts & kinds.array) === 0 || !goodList(node, value)) return false;
      } else if (value instanceof Float64) {
        if ((node.accepts & kinds.wholeFloat) === 0 || !goodNumber(node, value)) return false;
      } else if ((node.accepts & kinds.object) === 0 || !goodObject(node, value as JsonObject)) return false;
  }
  if (node.enum !== undefined && !inEnum(node, value as Json)) return false;
  return node.junctors === undefined || goodJunctors(node.junctors, value);
}

export function numberKind(value: Numeric): number {
  if (isInt64(value)) return kinds.integer;
  return isJsonInteger(value) ? kinds.wholeFloat : kinds.float;
}

function goodString(node: SchemaNode, value: string): boolean {
  if (value.length > node.maxLength && characterCount(value) > node.maxLength) return false;
  if (node.minLength > 0 && (value.length < node.minLength || characterCount(value) < node.minLength)) return false;
  if (node.pattern !== undefined && !node.pattern.test(value)) return false;
  return node.format === undefined || node.format(value);
}

function goodNumber(node: SchemaNode, value: Numeric): boolean {
  return (
    (node.multipleOf === undefined || multipleProblem(value, node.multipleOf) === undefined) &&
    withinMaximum(node, value) &&
    withinMinimum(node, value)
  );
}

export function withinMaximum(node: SchemaNode, value: Numeric): boolean {
  if (node.maximum === undefined) return true;
  const bound = boundFor(value, node.maximum);
  const number = withoutFloat64(value);
  return node.exclusiveMaximum ? number < bound : number <= bound;
}

export function withinMinimum(node: SchemaNode, value: Numeric): boolean {
  if (node.minimum === undefined) return true;
  const bound = boundFor(value, node.minimum);
  const number = withoutFloat64(value);
  return node.exclusiveMinimum ? number > bound : number >= bound;
}

function goodList(node: SchemaNode, list: readonly unknown[]): boolean {
  if (list.length > node.maxItems || list.length < node.minItems) return false;
  const { items } = node;
  if (items !== undefined) for (const item of list) if (!isValid(items, item)) return false;
  return !node.uniqueItems || !hasDuplicates(list);
}

export function hasDuplicates(list: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of list) {
    const compound = typeof item === 'object' && item !== null;
    const seen: Set<unknown> = compound ? (texts as Set<unknown>) : scalars;
    const count = seen.size;
    seen.add(compound ? compoundText(item) : item);
    if (seen.size === count) return true;
  }
  return false;
}

function goodObject(node: SchemaNode, object: JsonObject): boolean {
  const { properties, additional, required } = node;
  if (required !== undefined) for (const name of required) if (!Object.hasOwn(object, name)) return false;
  let count = 0;
  for (const name in object) {
    count++;
    const property = properties?.get(name);
    if (property !== undefined) {
      if (!isValid(property, object[name])) return false;
    } else if (additional !== undefined && (additional === false || !isValid(additional, object[name]))) return false;
  }
  return count <= node.maxProperties && count >= node.minProperties;
}

/** Returns a text that is equal for equal lists, objects and floats, and that no integer in the set has. */
export const compoundText = (item: object): string => (item instanceof Float64 ? String(item.value) : stableText(item));

/** A fraction is truncated before it is compared with an integer member, as in Go. */
export function inEnum(node: SchemaNode, value: Json): boolean {
  if (value instanceof Float64) return node.enumScalars?.has(value.value) === true;
  if (typeof value !== 'object') {
    if (node.enumScalars?.has(value)) return true;
    return typeof value === 'number' && !isInt64(value) && node.enumScalars?.has(Math.trunc(value)) === true;
  }
  return value !== null && node.enumTexts?.has(stableText(value)) === true;
}

function goodJunctors({ allOf, anyOf, oneOf, not }: Junctors, value: unknown): boolean {
  for (const inner of allOf) if (!isValid(inner, value)) return false;
  if (anyOf.length > 0 && !anyOf.some((inner) => isValid(inner, value))) return false;
  if (oneOf.length > 0) {
    let good = 0;
    for (const inner of oneOf) if (isValid(inner, value) && ++good > 1) return false;
    if (good === 0) return false;
  }
  return not === undefined || !isValid(not, value);
}

/** The number of characters as Go counts them: code points. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      at++;
    }
  }
  return count;
}
