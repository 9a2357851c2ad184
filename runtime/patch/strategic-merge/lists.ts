import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { patchDirective } from './directives.ts';
import { identityOf, inOrder, loosePositions } from './element-order.ts';
import {
  badDirective,
  listOfLists,
  mergeDirective,
  mixedElements,
  noElements,
  noFieldKey,
  noMergeKey,
  typeText,
} from './errors.ts';

export type MergeObjects = (original: JsonObject, patch: JsonObject, schema: MergeSchema) => JsonObject;

/** Merges two lists of a field whose strategy is `merge`. Scalars are united, objects merged by their key. */
export function mergeLists(
  original: readonly Json[],
  patch: readonly Json[],
  items: MergeSchema,
  mergeKey: string,
  mergeObjects: MergeObjects,
): Json[] {
  if (original.length === 0 && patch.length === 0) return [];
  if (!elementsAreObjects(original, patch)) {
    return inOrder([...new Set([...original, ...patch])], patch, original, '');
  }
  if (mergeKey === '') throw noFieldKey(items.kind === 'struct' ? 'struct' : items.kind);
  const directed = obeyDirectives(original as JsonObject[], patch as JsonObject[], mergeKey);
  const merged = mergeByKey(directed.original, directed.patch, mergeKey, items, mergeObjects);
  return inOrder(merged, directed.patch, directed.original, mergeKey);
}

/** What `$deleteFromPrimitiveList` leaves of a list. */
export function withoutElements(original: readonly Json[], unwanted: readonly Json[]): Json[] {
  if (original.length === 0 && unwanted.length === 0) return [];
  elementsAreObjects(original, unwanted);
  const gone = new Set(unwanted);
  return original.filter((item) => !gone.has(item));
}

/** All elements of all lists must be of one type, and none a list. */
export function elementsAreObjects(...lists: readonly (readonly Json[])[]): boolean {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const own = typeof item === 'number' ? 'number' : typeText(item);
      if (Array.isArray(item) && type === undefined) throw listOfLists();
      type ??= own;
      if (own !== type) throw mixedElements(...lists.map((elements) => [...elements]));
    }
  }
  if (type === undefined) throw noElements();
  return type === 'map[string]interface {}';
}

/** Carries out `$patch: delete` and `$patch: replace` elements, and takes them out of the patch. */
function obeyDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { original: JsonObject[]; patch: JsonObject[] } {
  const rest: JsonObject[] = [];
  const gone = new Set<Json>();
  let replace = false;
  for (const item of patch) {
    const directive = memberOf(item, patchDirective);
    if (directive === undefined) rest.push(item);
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw mergeDirective();
    else if (directive !== 'delete') throw badDirective(directive, item);
    else {
      const key = memberOf(item, mergeKey);
      if (key === undefined) throw noMergeKey(item, mergeKey);
      gone.add(key);
    }
  }
  if (replace) return { original: rest, patch: [] };
  const kept = gone.size === 0 ? [...original] : original.filter((item) => !gone.has(item[mergeKey]));
  return { original: kept, patch: rest };
}

function mergeByKey(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  items: MergeSchema,
  mergeObjects: MergeObjects,
): JsonObject[] {
  const merged = [...original];
  const places = loosePositions(original, mergeKey);
  for (const item of patch) {
    const identity = identityOf(item, mergeKey);
    const place = places.get(identity);
    if (place === undefined) {
      places.set(identity, merged.length);
      merged.push(item);
    } else {
      const existing = merged[place];
      merged[place] = isJsonObject(existing) ? mergeObjects(existing, item, items) : item;
    }
  }
  return merged;
}
