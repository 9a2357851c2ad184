import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { patchDirective } from './directives.ts';
import { indexesByMergeKey, mergeKeyValue, normalizeElementOrder } from './element-order.ts';
import { badDirective, listOfLists, mergeDirective, mixedElements, noElements, noFieldKey, noMergeKey, typeText } from './errors.ts';
import type { SlicePatchMetadata } from './patch-metadata.ts';

type MergeObjects = (original: JsonObject, patch: JsonObject, schema: MergeSchema) => JsonObject;

/** Merges lists whose patch strategy is `merge`: scalars as a union, objects by their merge key. (mergeSlice) */
export function mergeLists(
  original: readonly Json[],
  patch: readonly Json[],
  { items, mergeKey }: SlicePatchMetadata,
  mergeObjects: MergeObjects,
): Json[] {
  if (original.length === 0 && patch.length === 0) return [];
  if (!elementsAreObjects(original, patch)) {
    return normalizeElementOrder([...new Set([...original, ...patch])], patch, original, '');
  }
  if (mergeKey === '') throw noFieldKey(items.kind === 'struct' ? 'struct' : items.kind);
  const handled = handleDirectives(original as JsonObject[], patch as JsonObject[], mergeKey);
  const mergeElements = (existing: JsonObject, item: JsonObject): JsonObject => mergeObjects(existing, item, items);
  const merged = mergeByKey(handled.original, handled.patch, mergeKey, mergeElements);
  return normalizeElementOrder(merged, handled.patch, handled.original, mergeKey);
}

/** Deletes the elements of `$deleteFromPrimitiveList`. (deleteFromSlice) */
export function deleteFromList(original: readonly Json[], toDelete: readonly Json[]): Json[] {
  if (original.length === 0 && toDelete.length === 0) return [];
  elementsAreObjects(original, toDelete);
  const deleted = new Set(toDelete);
  return original.filter((item) => !deleted.has(item));
}

/**
 * Reports whether the elements of all lists are objects. (sliceElementType)
 *
 * @throws PatchError if they differ in type or are lists
 */
export function elementsAreObjects(...lists: readonly (readonly Json[])[]): boolean {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const itemType = typeof item === 'number' ? 'number' : typeText(item);
      if (Array.isArray(item) && type === undefined) throw listOfLists();
      type ??= itemType;
      if (itemType !== type) throw mixedElements(...lists.map((elements) => [...elements]));
    }
  }
  if (type === undefined) throw noElements();
  return type === 'map[string]interface {}';
}

/** Applies the elements with `$patch: delete` or `$patch: replace`, and removes these elements from the patch. */
function handleDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { original: JsonObject[]; patch: JsonObject[] } {
  const patchWithoutDirectives: JsonObject[] = [];
  const deleted = new Set<Json>();
  let replace = false;
  for (const item of patch) {
    const directive = memberOf(item, patchDirective);
    if (directive === undefined) patchWithoutDirectives.push(item);
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw mergeDirective();
    else if (directive !== 'delete') throw badDirective(directive, item);
    else {
      const key = memberOf(item, mergeKey);
      if (key === undefined) throw noMergeKey(item, mergeKey);
      deleted.add(key);
    }
  }
  if (replace) return { original: patchWithoutDirectives, patch: [] };
  const remaining = original.filter((item) => {
    const key = memberOf(item, mergeKey);
    return key === undefined || !deleted.has(key);
  });
  return { original: remaining, patch: patchWithoutDirectives };
}

function mergeByKey(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeElements: (existing: JsonObject, item: JsonObject) => JsonObject,
): JsonObject[] {
  const merged = [...original];
  const indexes = indexesByMergeKey(original, mergeKey);
  for (const item of patch) {
    const key = mergeKeyValue(item, mergeKey);
    const index = indexes.get(key);
    if (index === undefined) {
      indexes.set(key, merged.length);
      merged.push(item);
    } else {
      const existing = merged[index];
      merged[index] = isJsonObject(existing) ? mergeElements(existing, item) : item;
    }
  }
  return merged;
}
