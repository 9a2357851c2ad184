import { quote } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import type { ListMerge } from '../../machinery/schema/merge-schema.ts';
import { keyElement, type PathElement, valueElement } from '../fieldpath/path-element.ts';

/** An item has no path element. */
export interface PathElementFailure {
  readonly message: string;
}

/** Returns the path element of an item of a `set` or `map` list. (structured-merge-diff listItemToPathElement) */
export function listItemToPathElement(list: ListMerge, item: Json): PathElement | PathElementFailure {
  return list.listType === 'map' ? keyedItemToPathElement(list, item) : setItemToPathElement(item);
}

function keyedItemToPathElement(list: ListMerge, item: Json): PathElement | PathElementFailure {
  if (item === null) return { message: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) return { message: 'associative list with keys may not have non-map elements' };
  const names = list.mapKeys ?? [];
  const keys: [string, Json][] = [];
  for (const name of names) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value !== undefined) keys.push([name, value]);
    else {
      const missing = list.keyDefaults && Object.hasOwn(list.keyDefaults, name) ? list.keyDefaults[name] : undefined;
      if (missing !== undefined) keys.push([name, missing]);
    }
  }
  if (names.length > 0 && keys.length === 0) {
    const fields = `[${names.map(quote).join(' ')}]`;
    return {
      message: `associative list with keys has an element that omits all key fields ${fields} (and doesn't have default values for any key fields)`,
    };
  }
  return keyElement(keys);
}

function setItemToPathElement(item: Json): PathElement | PathElementFailure {
  if (item === null) return { message: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { message: 'not supported: associative list with lists as elements' };
  if (isJsonObject(item)) {
    return { message: "associative list without keys has an element that's a map type" };
  }
  return valueElement(item);
}

/** Returns the path element of each item; undefined for items without one. */
export function pathElementsOf(list: ListMerge, items: readonly Json[]): (PathElement | undefined)[] {
  return items.map((item) => {
    const element = listItemToPathElement(list, item);
    return typeof element === 'string' ? element : undefined;
  });
}
