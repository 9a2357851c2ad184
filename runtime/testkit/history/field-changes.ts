import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';

/** A changed field. `before` is absent if it was added, `after` if it was removed. */
export interface FieldChange {
  /** The path in kubectl's notation: `.spec.containers[name="web"].image`. */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** Fields that every write changes. */
const ofEveryWrite = new Set(['managedFields', 'resourceVersion']);

/**
 * Returns the changed fields in the order of the objects, without fields that every write changes. Items of lists with
 * keys are identified by the keys in managedFields, other items by index.
 */
export function fieldChanges(before: JsonObject, after: JsonObject): FieldChange[] {
  const fields = [...managedFieldsOf(before), ...managedFieldsOf(after)];
  return compare('', withoutBookkeeping(before), withoutBookkeeping(after), fields);
}

function withoutBookkeeping(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return object;
  return {
    ...object,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !ofEveryWrite.has(name))),
  };
}

/** The fieldsV1 of each manager. */
function managedFieldsOf({ metadata }: JsonObject): JsonObject[] {
  const entries = isJsonObject(metadata) && Array.isArray(metadata.managedFields) ? metadata.managedFields : [];
  return entries
    .filter(isJsonObject)
    .map(({ fieldsV1 }) => fieldsV1)
    .filter(isJsonObject);
}

/** @param fields the managers' FieldsV1 at the value */
function compare(path: string, before: Json | undefined, after: Json | undefined, fields: readonly JsonObject[]): FieldChange[] {
  if (isJsonObject(before) && isJsonObject(after)) return compareMembers(path, before, after, fields);
  if (Array.isArray(before) && Array.isArray(after)) return compareItems(path, before, after, fields);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

function compareMembers(path: string, before: JsonObject, after: JsonObject, fields: readonly JsonObject[]): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    compare(`${path}${memberText(name)}`, before[name], after[name], below(fields, `f:${name}`)),
  );
}

/** (kubectl's JSONPath quotes names that are not words) */
const memberText = (name: string): string => (/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

function compareItems(path: string, before: readonly Json[], after: readonly Json[], fields: readonly JsonObject[]): FieldChange[] {
  const keys = keysOf(fields);
  const [ofBefore, ofAfter] = [itemsByKey(before, keys), itemsByKey(after, keys)];
  if (ofBefore === undefined || ofAfter === undefined) return compareByPlace(path, before, after);
  return [...new Set([...ofBefore.keys(), ...ofAfter.keys()])].flatMap((key) =>
    compare(`${path}[${keyText(key)}]`, ofBefore.get(key), ofAfter.get(key), below(fields, key)),
  );
}

function compareByPlace(path: string, before: readonly Json[], after: readonly Json[]): FieldChange[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, at) => compare(`${path}[${at}]`, before[at], after[at], [])).flat();
}

/** Returns the names of a list's keys; `value` for a set. Undefined if managedFields do not say. */
function keysOf(fields: readonly JsonObject[]): readonly string[] | 'value' | undefined {
  for (const element of fields.flatMap((field) => Object.keys(field))) {
    if (element.startsWith('v:')) return 'value';
    if (element.startsWith('k:')) return Object.keys(JSON.parse(element.slice(2)));
  }
  return undefined;
}

/** Returns items by their path element in FieldsV1. Undefined if two items share one. */
function itemsByKey(items: readonly Json[], keys: readonly string[] | 'value' | undefined): Map<string, Json> | undefined {
  if (keys === undefined) return undefined;
  const byKey = new Map(items.map((item) => [elementOf(item, keys), item]));
  return byKey.size === items.length && !byKey.has('') ? byKey : undefined;
}

function elementOf(item: Json, keys: readonly string[] | 'value'): string {
  if (keys === 'value') return `v:${JSON.stringify(item)}`;
  if (!isJsonObject(item)) return '';
  const present = keys.filter((key) => item[key] !== undefined);
  return `k:${JSON.stringify(Object.fromEntries(present.map((key) => [key, item[key]])))}`;
}

/** (structured-merge-diff PathElement.String) */
function keyText(element: string): string {
  if (element.startsWith('v:')) return `=${element.slice(2)}`;
  const keys = Object.entries(JSON.parse(element.slice(2)));
  return keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',');
}

const below = (fields: readonly JsonObject[], element: string): JsonObject[] => fields.map((field) => field[element]).filter(isJsonObject);
