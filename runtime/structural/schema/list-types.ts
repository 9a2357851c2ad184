import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import { maxReportedErrors } from '../../machinery/limits.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { perSchema } from '../../machinery/schema/per-schema.ts';
import { duplicate, type FieldError, invalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { compoundText } from './is-valid.ts';
import { propertiesOf } from './nodes.ts';

/** The sets and map lists of a schema and of its parts. */
export interface ListTypeNode {
  readonly listType: string | undefined;
  readonly keys: readonly string[];
  readonly items: ListTypeNode | undefined;
  readonly properties: ReadonlyMap<string, ListTypeNode> | undefined;
  readonly additional: ListTypeNode | undefined;
}

/** Undefined if the schema has neither sets nor map lists. */
export const listTypeNode: (schema: JsonSchema) => ListTypeNode | undefined = perSchema((schema) => {
  const named = schema['x-kubernetes-list-type'];
  const listType = named === 'set' || named === 'map' ? named : undefined;
  const inItems = itemSchema(schema);
  const inAdditional = valueSchema(schema);
  const items = inItems && listTypeNode(inItems);
  const additional = inAdditional && listTypeNode(inAdditional);
  const properties = new Map<string, ListTypeNode>();
  for (const [name, inner] of propertiesOf(schema)) {
    const node = listTypeNode(inner);
    if (node) properties.set(name, node);
  }
  if (!listType && !items && !additional && properties.size === 0) return undefined;
  // sorted for messages
  const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
  return { listType, keys, items, additional, properties: properties.size === 0 ? undefined : properties };
});

/**
 * Appends an error for each duplicate item of sets and map lists. (apiextensions-apiserver
 * pkg/apiserver/schema/listtype)
 */
export function checkListTypes(node: ListTypeNode, value: Json, path: FieldPath, errors: FieldError[]): void {
  if (Array.isArray(value)) {
    checkList(node, value, path, errors);
    return;
  }
  if (!isJsonObject(value)) return;
  const { properties, additional } = node;
  if (additional) {
    for (const name of Object.keys(value)) checkListTypes(additional, value[name] ?? null, path.key(name), errors);
  }
  if (!properties) return;
  // iterate over the value, which may be smaller than the schema
  for (const name in value) {
    const member = value[name];
    if (typeof member !== 'object' || member === null) continue;
    const inner = properties.get(name);
    if (inner) checkListTypes(inner, member, path.child(name), errors);
  }
}

function checkList(node: ListTypeNode, list: Json[], path: FieldPath, errors: FieldError[]): void {
  if (node.listType === 'set') {
    for (const index of repeated(list)) errors.push(duplicate(path.index(index), list[index]));
  } else if (node.listType === 'map') checkMap(node.keys, list, path, errors);
  const { items } = node;
  if (!items) return;
  for (const [index, item] of list.entries()) {
    if (errors.length >= maxReportedErrors) return;
    if (typeof item === 'object' && item !== null) checkListTypes(items, item, path.index(index), errors);
  }
}

/** Returns the index of each value's second occurrence. Further occurrences are not reported. */
function repeated(list: readonly unknown[]): number[] {
  const places: number[] = [];
  if (list.length <= 1) return places;
  const seen = new Map<unknown, number>();
  const texts = new Map<string, number>();
  list.forEach((item, index) => {
    const compound = typeof item === 'object' && item !== null;
    const counts: Map<unknown, number> = compound ? (texts as Map<unknown, number>) : seen;
    const key = compound ? compoundText(item) : item;
    const times = counts.get(key) ?? 0;
    counts.set(key, times + 1);
    if (times === 1 && places.length < maxReportedErrors) places.push(index);
  });
  return places;
}

function checkMap(keys: readonly string[], list: Json[], path: FieldPath, errors: FieldError[]): void {
  const invalidIndex = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (invalidIndex >= 0) {
    const text = 'must be an object for an array of list-type map';
    errors.push(invalid(path.index(invalidIndex), list[invalidIndex], text));
    return;
  }
  if (list.length <= 1) return;
  const [only, ...more] = keys;
  const keyed = only !== undefined && more.length === 0 ? singleKeys(only, list) : list.map((item) => keysOf(keys, item));
  for (const index of repeated(keyed)) errors.push(duplicate(path.index(index), keysOf(keys, list[index] ?? null)));
}

/**
 * Returns the only key of each item, which is cheaper to compare than an object; undefined if an item lacks the key.
 */
function singleKeys(key: string, list: Json[]): unknown[] {
  return list.map((item) => (item !== null && Object.hasOwn(item as JsonObject, key) ? (item as JsonObject)[key] : undefined));
}

function keysOf(keys: readonly string[], item: Json): JsonObject {
  const found: JsonObject = {};
  if (item === null) return found;
  for (const key of keys) if (Object.hasOwn(item as JsonObject, key)) setMember(found, key, (item as JsonObject)[key]);
  return found;
}
