import { isJsonObject, memberOf, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import {
  deleteListPrefix,
  elementOrderPrefix,
  fieldOfDirective,
  newValue,
  patchDirective,
  retainKeysDirective,
} from './directives.ts';
import { identityOf, inOrder } from './element-order.ts';
import { badDirective, badRetainKeys, wrongArgument, wrongOrder } from './errors.ts';
import { elementsAreObjects, mergeLists, withoutElements } from './lists.ts';
import { listRule, objectRule } from './lookup.ts';

/**
 * Applies a strategic merge patch: objects are merged member by member, null removes, lists are replaced or
 * merged as the schema says, and directives in the patch change the rules where they stand:
 *
 *     $patch: replace | delete             in an object, or in an element of a merged list
 *     $retainKeys: [a, b]                  members not named go
 *     $setElementOrder/field: [...]        the order of the merged list
 *     $deleteFromPrimitiveList/field: [..] elements that go from a list of scalars
 *
 * The document is not changed; the result may share parts with it and with the patch. Throws PatchError:
 * `malformed` for a directive that is none, `unprocessable` where patch, document and schema do not fit.
 * (apimachinery pkg/util/strategicpatch/patch.go StrategicMergeMapPatch)
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  return mergeObjects(document, patch, schema);
}

function mergeObjects(original: JsonObject, patch: JsonObject, schema: MergeSchema): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return obeyDirective(patch);
  const result: JsonObject = { ...original };
  const rest: JsonObject = { ...patch };
  retainKeys(result, rest);
  orderLists(result, rest, schema);
  for (const name of Object.keys(rest)) {
    if (name.startsWith(deleteListPrefix)) deleteElements(result, name, rest[name]);
    else mergeMember(result, name, rest[name], schema);
  }
  return result;
}

/** `$patch` in an object that is to be merged. */
function obeyDirective(patch: JsonObject): JsonObject {
  const { [patchDirective]: directive, ...values } = patch;
  if (directive === 'replace') return values;
  if (directive === 'delete') return {};
  throw badDirective(directive, patch);
}

/** Takes `$retainKeys` out of the patch, and from the object the members that it does not name. */
function retainKeys(result: JsonObject, patch: JsonObject): void {
  const names = memberOf(patch, retainKeysDirective);
  if (names === undefined) return;
  delete patch[retainKeysDirective];
  if (!Array.isArray(names)) throw badRetainKeys();
  const retained = new Set(names);
  for (const [key, value] of Object.entries(patch)) {
    const directive = key.startsWith(deleteListPrefix) || key.startsWith(elementOrderPrefix);
    if (value !== null && !directive && !retained.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(result)) if (!retained.has(key)) delete result[key];
}

/** Carries out each `$setElementOrder/field` together with the patch's own list for the field. */
function orderLists(result: JsonObject, patch: JsonObject, schema: MergeSchema): void {
  for (const name of Object.keys(patch)) {
    if (!name.startsWith(elementOrderPrefix)) continue;
    const order = patch[name];
    delete patch[name];
    if (!Array.isArray(order)) throw wrongArgument('[]interface {}', order);
    const field = fieldOfDirective(name, elementOrderPrefix);
    const live = listMember(result, field);
    const changes = listMember(patch, field);
    const { items, merge, mergeKey } = listRule(schema, field);
    checkOrder(changes ?? [], order, mergeKey);
    if (live === undefined && changes === undefined) continue;
    let merged: Json[];
    if (changes === undefined) merged = live as Json[];
    else if (live === undefined) merged = newValue(changes) as Json[];
    else merged = merge ? mergeLists(live, changes, items, mergeKey, mergeObjects) : changes;
    elementsAreObjects(live ?? [], changes ?? []);
    setMember(result, field, inOrder(merged, order, live ?? [], mergeKey));
    delete patch[field];
  }
}

function listMember(object: JsonObject, field: string): Json[] | undefined {
  const value = memberOf(object, field);
  if (value !== undefined && !Array.isArray(value)) throw wrongArgument('[]interface {}', value);
  return value;
}

/** The elements of the patch, without those to delete, must all be in the order list, and in that order. */
function checkOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const kept = patch.filter((item) => {
    if (mergeKey !== '' && !isJsonObject(item)) throw wrongArgument('map[string]interface {}', item);
    return !isJsonObject(item) || !Object.hasOwn(item, patchDirective);
  });
  let next = 0;
  for (const item of order) {
    if (next === kept.length) break;
    if (identityOf(kept[next], mergeKey) === identityOf(item, mergeKey)) next++;
  }
  if (next < kept.length) throw wrongOrder(patch, order);
}

function deleteElements(result: JsonObject, name: string, unwanted: Json): void {
  const field = fieldOfDirective(name, deleteListPrefix);
  // Upstream treats the directive's name as the field's from here on: null removes it.
  if (unwanted === null) delete result[field];
  const live = memberOf(result, field);
  if (Array.isArray(live) && Array.isArray(unwanted)) setMember(result, field, withoutElements(live, unwanted));
}

function mergeMember(result: JsonObject, name: string, value: Json, schema: MergeSchema): void {
  if (value === null) {
    delete result[name];
    return;
  }
  const live = memberOf(result, name);
  let merged: Json | undefined;
  if (isJsonObject(live) && isJsonObject(value)) {
    const rule = objectRule(schema, name);
    merged = rule.replace ? value : mergeObjects(live, value, rule.schema);
  } else if (Array.isArray(live) && Array.isArray(value)) {
    const { items, merge, mergeKey } = listRule(schema, name);
    merged = merge ? mergeLists(live, value, items, mergeKey, mergeObjects) : value;
  } else merged = newValue(value);
  if (merged === undefined) delete result[name];
  else setMember(result, name, merged);
}
