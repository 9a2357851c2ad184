import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';

/**
 * The most levels of objects and lists to look into. Each look decodes a part with all that is around it, so that the work
 * grows with the levels; the errors of deeper members are found in the order of the struct.
 */
const maxLevels = 16;

/**
 * Returns the part of a value that has its first error, within the objects and lists around it: of
 * `{ spec: { a: 1, b: true }, metadata: 3 }`, in which spec.b and metadata are wrong, `{ spec: { b: true } }`. Go reports this
 * error, because it decodes the members of a document in their order, not in the order of a struct.
 *
 * @param fails whether the decoder refuses a value. It does not depend on several members at once
 * @param isSorted whether Go has sorted the members by name, as those of YAML
 */
export function firstFailing(value: Json, fails: (value: Json) => boolean, isSorted: boolean): Json {
  const narrowed = (part: Json, within: (part: Json) => Json, level: number): Json => {
    if (level === maxLevels) return within(part);
    for (const [inner, around] of partsOf(part, isSorted)) {
      const outer = (one: Json): Json => within(around(one));
      if (fails(outer(inner))) return narrowed(inner, outer, level + 1);
    }
    return within(part);
  };
  return narrowed(value, (part) => part, 0);
}

type Around = (part: Json) => Json;

/** Yields the members or items of a value, each with a function that puts a value in its place. */
function* partsOf(value: Json, isSorted: boolean): Iterable<readonly [Json, Around]> {
  if (Array.isArray(value)) for (const item of value) yield [item, (part) => [part]];
  else if (isJsonObject(value)) {
    const names = Object.keys(value);
    if (isSorted) names.sort(compareStrings);
    for (const name of names) yield [value[name] as Json, (part) => ({ [name]: part })];
  }
}
