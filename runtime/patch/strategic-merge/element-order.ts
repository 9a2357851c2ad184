import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { noMergeKey, notAMap, wrongArgument } from './errors.ts';

/**
 * What tells the elements of a list apart: their merge key, or for lists of scalars themselves. Throws PatchError
 * for an element that has none.
 */
export function identityOf(item: Json, mergeKey: string): Json {
  if (mergeKey === '') return item;
  if (!isJsonObject(item)) throw wrongArgument('map[string]interface {}', item);
  const value = memberOf(item, mergeKey);
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

/** Where each identity comes first in a list. */
export function positions(list: readonly Json[], mergeKey: string): Map<Json, number> {
  const found = new Map<Json, number>();
  list.forEach((item, i) => {
    const identity = identityOf(item, mergeKey);
    if (!found.has(identity)) found.set(identity, i);
  });
  return found;
}

/** The same for a list whose elements may lack the key. */
export function loosePositions(list: readonly Json[], mergeKey: string): Map<Json, number> {
  const found = new Map<Json, number>();
  list.forEach((item, i) => {
    if (mergeKey !== '' && !isJsonObject(item)) throw notAMap(i);
    const identity = mergeKey === '' ? item : memberOf(item as JsonObject, mergeKey);
    if (identity !== undefined && !found.has(identity)) found.set(identity, i);
  });
  return found;
}

/**
 * Puts a merged list in order. Elements that the patch names come in the patch's order, the others in the order
 * they had; the two are woven together so that an element of the others stands before the first of the patch's
 * that came after it in the live list.
 *
 * For a live list [1 2 3 4] and a patch's order [4 1]: the others [2 3] and the patch's [4 1] become [2 3 4 1].
 */
export function inOrder(
  merged: readonly Json[],
  patchOrder: readonly Json[],
  liveOrder: readonly Json[],
  mergeKey: string,
): Json[] {
  const wanted = loosePositions(patchOrder, mergeKey);
  const named: Json[] = [];
  const others: Json[] = [];
  for (const item of merged) (wanted.has(identityOf(item, mergeKey)) ? named : others).push(item);
  const orderOfPatch = positions(patchOrder, mergeKey);
  const orderOfLive = positions(liveOrder, mergeKey);
  return weave(sortBy(others, orderOfLive, mergeKey), sortBy(named, orderOfPatch, mergeKey), orderOfLive, mergeKey);
}

/** Stable; elements without a place go to the end. */
function sortBy(list: readonly Json[], order: ReadonlyMap<Json, number>, mergeKey: string): Json[] {
  const place = (item: Json): number => order.get(identityOf(item, mergeKey)) ?? order.size;
  return [...list].sort((a, b) => place(a) - place(b));
}

function weave(
  others: readonly Json[],
  named: readonly Json[],
  live: ReadonlyMap<Json, number>,
  mergeKey: string,
): Json[] {
  const result: Json[] = [];
  let next = 0;
  for (const item of named) {
    const place = live.get(identityOf(item, mergeKey));
    while (next < others.length && place !== undefined) {
      const other = live.get(identityOf(others[next], mergeKey));
      if (other === undefined || other >= place) break;
      result.push(others[next++]);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
