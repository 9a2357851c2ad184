import { isJsonObject, memberOf, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import {
  deleteListPrefix,
  elementOrderPrefix,
  fieldOfDirective,
  patchDirective,
  removeDirectives,
  retainKeysDirective,
} from './directives.ts';
import { mergeKeyValue, normalizeElementOrder } from './element-order.ts';
import { badDirective, badRetainKeys, wrongArgument, wrongOrder } from './errors.ts';
import { deleteFromList, elementsAreObjects, mergeLists } from './lists.ts';
import { lookupPatchMetadataForSlice, lookupPatchMetadataForStruct } from './patch-metadata.ts';

/**
 * Applies a strategic merge patch: objects are merged, null removes a member, and lists are replaced or merged as the
 * schema says. Directives in the patch change this:
 *
 *     $patch: replace | delete             replaces or deletes an object, or an element of a merged list
 *     $retainKeys: [a, b]                  removes all other members
 *     $setElementOrder/field: [...]        sets the order of a merged list
 *     $deleteFromPrimitiveList/field: [..] deletes elements from a list of scalars
 *
 * The document is not changed. The result may share parts with it and with the patch.
 * (apimachinery pkg/util/strategicpatch/patch.go StrategicMergeMapPatch)
 *
 * @throws PatchError
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  return mergeObjects(document, patch, schema);
}

function mergeObjects(original: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return handleDirective(patch);
  const result: JsonObject = { ...original };
  const remainingPatch: JsonObject = { ...patch };
  handleRetainKeys(result, remainingPatch);
  mergeOrderedLists(result, remainingPatch, schema);
  for (const [name, change] of Object.entries(remainingPatch)) {
    if (name.startsWith(deleteListPrefix)) deleteElements(result, name, change);
    else mergeMember(result, name, change, schema);
  }
  return result;
}

/** Handles `$patch` in an object. (handleDirectiveInMergeMap) */
function handleDirective(patch: JsonObject): JsonObject {
  const { [patchDirective]: directive = null, ...values } = patch;
  if (directive === 'replace') return values;
  if (directive === 'delete') return {};
  throw badDirective(directive, patch);
}

/** Removes `$retainKeys` from the patch, and the members that it does not name from the object. */
function handleRetainKeys(result: JsonObject, patch: JsonObject): void {
  const names = memberOf(patch, retainKeysDirective);
  if (names === undefined) return;
  delete patch[retainKeysDirective];
  if (!Array.isArray(names)) throw badRetainKeys();
  const retained = new Set(names);
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(deleteListPrefix) || key.startsWith(elementOrderPrefix);
    if (value !== null && !isDirective && !retained.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(result)) if (!retained.has(key)) delete result[key];
}

/** Merges the lists for which the patch has a `$setElementOrder/field`. (mergePatchIntoOriginal) */
function mergeOrderedLists(result: JsonObject, patch: JsonObject, schema: MergeSchema): void {
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(elementOrderPrefix)) continue;
    delete patch[name];
    if (!Array.isArray(order)) throw wrongArgument('[]interface {}', order);
    const field = fieldOfDirective(name, elementOrderPrefix);
    const live = listMember(result, field);
    const changes = listMember(patch, field);
    const metadata = lookupPatchMetadataForSlice(schema, field);
    const { mergeKey } = metadata;
    validateElementOrder(changes ?? [], order, mergeKey);
    if (live === undefined && changes === undefined) continue;
    let merged: Json[];
    if (changes === undefined) merged = live as Json[];
    else if (live === undefined) merged = removeDirectives(changes) as Json[];
    else merged = metadata.merge ? mergeLists(live, changes, metadata, mergeObjects) : changes;
    elementsAreObjects(live ?? [], changes ?? []);
    setMember(result, field, normalizeElementOrder(merged, order, live ?? [], mergeKey));
    delete patch[field];
  }
}

function listMember(object: JsonObject, field: string): Json[] | undefined {
  const value = memberOf(object, field);
  if (value !== undefined && !Array.isArray(value)) throw wrongArgument('[]interface {}', value);
  return value;
}

/** The order list must contain all elements of the patch without directives, in order. (validatePatchWithSetOrderList) */
function validateElementOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const items = patch.filter((item) => {
    if (mergeKey !== '' && !isJsonObject(item)) throw wrongArgument('map[string]interface {}', item);
    return !isJsonObject(item) || !Object.hasOwn(item, patchDirective);
  });
  let next = 0;
  for (const item of order) {
    const expected = items[next];
    if (expected === undefined) break;
    if (mergeKeyValue(expected, mergeKey) === mergeKeyValue(item, mergeKey)) next++;
  }
  if (next < items.length) throw wrongOrder(patch, order);
}

function deleteElements(result: JsonObject, name: string, toDelete: Json): void {
  const field = fieldOfDirective(name, deleteListPrefix);
  // upstream treats the directive as the field itself, so null removes the field
  if (toDelete === null) delete result[field];
  const live = memberOf(result, field);
  if (Array.isArray(live) && Array.isArray(toDelete)) setMember(result, field, deleteFromList(live, toDelete));
}

function mergeMember(result: JsonObject, name: string, value: Json, schema: MergeSchema): void {
  if (value === null) {
    delete result[name];
    return;
  }
  const live = memberOf(result, name);
  let merged: Json | undefined;
  if (isJsonObject(live) && isJsonObject(value)) {
    const metadata = lookupPatchMetadataForStruct(schema, name);
    merged = metadata.replace ? value : mergeObjects(live, value, metadata.schema);
  } else if (Array.isArray(live) && Array.isArray(value)) {
    const metadata = lookupPatchMetadataForSlice(schema, name);
    merged = metadata.merge ? mergeLists(live, value, metadata, mergeObjects) : value;
  } else merged = removeDirectives(value);
  if (merged === undefined) delete result[name];
  else setMember(result, name, merged);
}
