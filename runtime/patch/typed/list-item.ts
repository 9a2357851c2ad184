import { quote } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge } from '../../machinery/schema/merge-schema.ts';
import { keyElement, type PathElement, valueElement } from '../fieldpath/path-element.ts';

/** An item has no path element. */
export interface PathElementFailure {
  readonly message: string;
}

/** Returns the path element of an item of a `set` or `map` list. (structured-merge-diff listItemToPathElement) */
export function listItemToPathElement(list: ListMerge, item: Json): PathElement | PathElementFailure {
  if (list.listType !== 'map') return setItemFailure(item) ?? valueElement(item);
  const keys = isJsonObject(item) ? keysOf(list, item) : [];
  return (keys.length === 0 ? keyedItemFailure(list, item) : undefined) ?? keyElement(keys);
}

/** Returns why an item of a `set` or `map` list has no path element; undefined if it has one. Makes no element. */
export function listItemFailure(list: ListMerge, item: Json): PathElementFailure | undefined {
  return list.listType === 'map' ? keyedItemFailure(list, item) : setItemFailure(item);
}

function keyedItemFailure(list: ListMerge, item: Json): PathElementFailure | undefined {
  if (item === null) return { message: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) return { message: 'associative list with keys may not have non-map elements' };
  const { mapKeys: names = [] } = list;
  if (names.length === 0) return undefined;
  for (const name of names) if (keyOf(list, item, name) !== undefined) return undefined;
  const fields = `[${names.map(quote).join(' ')}]`;
  return {
    message: `associative list with keys has an element that omits all key fields ${fields} (and doesn't have default values for any key fields)`,
  };
}

function setItemFailure(item: Json): PathElementFailure | undefined {
  if (item === null) return { message: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { message: 'not supported: associative list with lists as elements' };
  if (isJsonObject(item)) {
    return { message: "associative list without keys has an element that's a map type" };
  }
  return undefined;
}

function keysOf(list: ListMerge, item: JsonObject): [string, Json][] {
  const keys: [string, Json][] = [];
  for (const name of list.mapKeys ?? []) {
    const value = keyOf(list, item, name);
    if (value !== undefined) keys.push([name, value]);
  }
  return keys;
}

/** Returns the value of a key field, or its default. */
function keyOf({ keyDefaults }: ListMerge, item: JsonObject, name: string): Json | undefined {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  if (value !== undefined || keyDefaults === undefined) return value;
  return Object.hasOwn(keyDefaults, name) ? keyDefaults[name] : undefined;
}

/** Returns the path element of an item; undefined for an item without one. */
export function pathElementOf(list: ListMerge, item: Json): PathElement | undefined {
  const element = listItemToPathElement(list, item);
  return typeof element === 'string' ? element : undefined;
}

/** Returns the path element of each item; undefined for items without one. */
export function pathElementsOf(list: ListMerge, items: readonly Json[]): (PathElement | undefined)[] {
  return items.map((item) => pathElementOf(list, item));
}
