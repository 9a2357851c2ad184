import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';

/**
 * Returns the value of a member that a document has twice, as Go's decoder leaves it in a struct, which it fills once more: `{"a":{"b":1}}`
 * and then `{"a":{"c":2}}` is both. Items of lists are filled by their positions; the last list decides how many there are.
 */
export function filledTwice(first: Json | undefined, last: Json): Json {
  if (Array.isArray(first) && Array.isArray(last)) return last.map((item, index) => filledTwice(first[index], item));
  if (first === undefined || !isJsonObject(first) || !isJsonObject(last)) return last;
  const both = { ...first };
  for (const [name, value] of Object.entries(last)) {
    Object.defineProperty(both, name, {
      value: Object.hasOwn(both, name) ? filledTwice(both[name], value) : value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return both;
}
