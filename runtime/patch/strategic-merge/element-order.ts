import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { noMergeKey, notAMap, wrongArgument } from './errors.ts';

/**
 * Returns the value of the merge key, or the element itself in lists of scalars.
 *
 * @param mergeKey "" for lists of scalars
 * @throws PatchError if the element has no merge key
 */
export function mergeKeyValue(item: Json, mergeKey: string): Json {
  if (mergeKey === '') return item;
  if (!isJsonObject(item)) throw wrongArgument('map[string]interface {}', item);
  const value = memberOf(item, mergeKey);
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

/** Returns the index of the first element of each merge key. All elements must have one. */
function requiredIndexesByMergeKey(list: readonly Json[], mergeKey: string): Map<Json, number> {
  const indexes = new Map<Json, number>();
  list.forEach((item, i) => {
    const key = mergeKeyValue(item, mergeKey);
    if (!indexes.has(key)) indexes.set(key, i);
  });
  return indexes;
}

/** Returns the index of the first element of each merge key. Ignores elements without one. */
export function indexesByMergeKey(list: readonly Json[], mergeKey: string): Map<Json, number> {
  const indexes = new Map<Json, number>();
  list.forEach((item, i) => {
    if (mergeKey !== '' && !isJsonObject(item)) throw notAMap(i);
    const key = mergeKey === '' ? item : memberOf(item as JsonObject, mergeKey);
    if (key !== undefined && !indexes.has(key)) indexes.set(key, i);
  });
  return indexes;
}

/**
 * Sorts a merged list. Elements of the patch keep the patch's order, all others ("server-only" elements) the order of the
 * live list. A server-only element comes before the first element of the patch that follows it in the live list.
 *
 * With the live list [1 2 3 4] and the patch's order [4 1], the server-only elements [2 3] and the patch's [4 1] become
 * [2 3 4 1]. (normalizeElementOrder)
 */
export function normalizeElementOrder(
  merged: readonly Json[],
  patchOrder: readonly Json[],
  serverOrder: readonly Json[],
  mergeKey: string,
): Json[] {
  const inPatch = indexesByMergeKey(patchOrder, mergeKey);
  const patchItems: Json[] = [];
  const serverOnlyItems: Json[] = [];
  for (const item of merged) (inPatch.has(mergeKeyValue(item, mergeKey)) ? patchItems : serverOnlyItems).push(item);
  const patchIndexes = requiredIndexesByMergeKey(patchOrder, mergeKey);
  const serverIndexes = requiredIndexesByMergeKey(serverOrder, mergeKey);
  return mergeSortedLists(sortBy(serverOnlyItems, serverIndexes, mergeKey), sortBy(patchItems, patchIndexes, mergeKey), (item) =>
    serverIndexes.get(mergeKeyValue(item, mergeKey)),
  );
}

/** Sorts stably. Elements without an index come last. */
function sortBy(list: readonly Json[], indexes: ReadonlyMap<Json, number>, mergeKey: string): Json[] {
  const indexOf = (item: Json): number => indexes.get(mergeKeyValue(item, mergeKey)) ?? indexes.size;
  return [...list].sort((a, b) => indexOf(a) - indexOf(b));
}

/** (mergeSortedSlice) */
function mergeSortedLists(
  serverOnlyItems: readonly Json[],
  patchItems: readonly Json[],
  serverIndexOf: (item: Json) => number | undefined,
): Json[] {
  const result: Json[] = [];
  let next = 0;
  for (const item of patchItems) {
    const index = serverIndexOf(item);
    for (let rest = serverOnlyItems[next]; rest !== undefined && index !== undefined; rest = serverOnlyItems[next]) {
      const nextIndex = serverIndexOf(rest);
      if (nextIndex === undefined || nextIndex >= index) break;
      result.push(rest);
      next++;
    }
    result.push(item);
  }
  return [...result, ...serverOnlyItems.slice(next)];
}
