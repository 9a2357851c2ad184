import { compareStrings } from '../machinery/go/compare-strings.ts';
import { isJsonObject, memberOf, setMember } from '../machinery/json/values.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import { pointerSteps } from './json-patch-document.ts';

/*
 * The order of members after a patch. Upstream reads the containers that a patch names into Go maps, and writes their
 * members in the order of their names. It copies all other containers as text. Messages show the result, and errors of
 * strict decoding come in its order. (evanphx/json-patch v4 lazyNode)
 */

/** Returns a copy with the order after a merge patch: `{ b: {}, a: {} }` and `{ b: { d: 1, c: 1 } }` are `{ a: {}, b: { c: 1, d: 1 } }`. */
export function mergedOrder(before: Json | undefined, patch: Json, after: Json | undefined): Json | undefined {
  if (!isJsonObject(after))
    return Array.isArray(after) ? after.map((item, index) => mergedOrder(undefined, itemOf(patch, index), item) ?? null) : after;
  if (isJsonObject(before) && !isJsonObject(patch)) return after;
  return sortedWith(after, (name, value) => {
    const old = isJsonObject(before) ? memberOf(before, name) : undefined;
    const change = isJsonObject(patch) ? memberOf(patch, name) : undefined;
    if (isJsonObject(before) && change === undefined) return value;
    return mergedOrder(old, change ?? null, value) ?? null;
  });
}

const itemOf = (list: Json, index: number): Json => (Array.isArray(list) ? (list[index] ?? null) : null);

/** Returns a copy with the order after a JSON patch, which reads the containers on the paths of its operations. */
export function patchedOrder(operations: Json, after: Json): Json {
  if (!Array.isArray(operations)) return after;
  return operations.filter(isJsonObject).reduce<Json>((document, { op, path, from }) => {
    const places = [path, from].filter((place) => typeof place === 'string').map((place) => pointerSteps(place) ?? []);
    return places.reduce<Json>((one, steps) => alongPath(one, op === 'test' ? [...steps, ''] : steps), document);
  }, after);
}

function alongPath(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === step ? alongPath(item, rest) : item));
  if (!isJsonObject(value)) return value;
  return sortedWith(value, (name, member) => (name === step ? alongPath(member, rest) : member));
}

function sortedWith(object: JsonObject, memberFor: (name: string, value: Json) => Json): JsonObject {
  const result: JsonObject = {};
  for (const name of Object.keys(object).sort(compareStrings)) setMember(result, name, memberFor(name, object[name] as Json));
  return result;
}
