import { quote } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import type { ListMerge } from '../../machinery/schema/merge-schema.ts';
import { keyElement, type PathElement, valueElement } from '../field-set/path-element.ts';

/** Why an item cannot be told from its siblings. */
export interface Unidentified {
  readonly message: string;
}

/** What identifies an item of a `set` or `map` list. (structured-merge-diff listItemToPathElement) */
export function identify(list: ListMerge, item: Json): PathElement | Unidentified {
  return list.listType === 'map' ? byKeys(list, item) : byValue(item);
}

function byKeys(list: ListMerge, item: Json): PathElement | Unidentified {
  if (item === null) return { message: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) return { message: 'associative list with keys may not have non-map elements' };
  const names = list.mapKeys ?? [];
  const keys: [string, Json][] = [];
  for (const name of names) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value !== undefined) keys.push([name, value]);
    else if (list.keyDefaults && Object.hasOwn(list.keyDefaults, name)) keys.push([name, list.keyDefaults[name]]);
  }
  if (names.length > 0 && keys.length === 0) {
    const shown = `[${names.map(quote).join(' ')}]`;
    return {
      message: `associative list with keys has an element that omits all key fields ${shown} (and doesn't have default values for any key fields)`,
    };
  }
  return keyElement(keys);
}

function byValue(item: Json): PathElement | Unidentified {
  if (item === null) return { message: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { message: 'not supported: associative list with lists as elements' };
  if (typeof item === 'object') {
    return { message: "associative list without keys has an element that's a map type" };
  }
  return valueElement(item);
}

/** The step to each item; undefined for those that have none. */
export function elementsOf(list: ListMerge, items: readonly Json[]): (PathElement | undefined)[] {
  return items.map((item) => {
    const element = identify(list, item);
    return typeof element === 'string' ? element : undefined;
  });
}
