import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject, memberOf, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { deleteListPrefix, elementOrderPrefix, patchDirective, retainKeysDirective } from './directives.ts';
import { identityOf } from './element-order.ts';
import { elementsAreObjects } from './lists.ts';
import { type ListRule, listRule, objectRule } from './lookup.ts';

/**
 * The strategic merge patch that makes `modified` of `original`: what `kubectl apply` computes from the last
 * configuration and the new one. Throws PatchError where the schema cannot tell how to merge what differs.
 * (apimachinery pkg/util/strategicpatch/patch.go CreateTwoWayMergePatch)
 */
export function createTwoWayStrategicMergePatch(
  original: JsonObject,
  modified: JsonObject,
  schema: MergeSchema,
): JsonObject {
  return diffObjects(original, modified, schema, false);
}

function diffObjects(original: JsonObject, modified: JsonObject, schema: MergeSchema, retainKeys: boolean): JsonObject {
  const patch: JsonObject = {};
  for (const [key, after] of Object.entries(modified)) {
    const before = memberOf(original, key);
    if (before === undefined) setMember(patch, key, after);
    else if (equalJson(before, after)) continue;
    else if (isJsonObject(before) && isJsonObject(after)) {
      const rule = objectRule(schema, key);
      const inner = rule.replace ? after : diffObjects(before, after, rule.schema, rule.retainKeys);
      if (rule.replace || Object.keys(inner).length > 0) setMember(patch, key, inner);
    } else if (Array.isArray(before) && Array.isArray(after)) {
      const rule = listRule(schema, key);
      if (rule.merge) diffLists(key, before, after, rule, patch);
      else setMember(patch, key, after);
    } else setMember(patch, key, after);
  }
  const gone = Object.keys(original).filter((key) => !Object.hasOwn(modified, key));
  const kept = Object.keys(modified).filter((key) => modified[key] !== null);
  for (const key of gone) setMember(patch, key, null);
  if (retainKeys && kept.length > 0 && Object.keys(patch).length > 0) patch[retainKeysDirective] = kept.sort();
  return patch;
}

/** Puts into the patch the list of changes, and the lists that say what goes and in which order the rest comes. */
function diffLists(
  key: string,
  before: readonly Json[],
  after: readonly Json[],
  rule: ListRule,
  patch: JsonObject,
): void {
  if (before.length === 0) {
    patch[key] = [...after];
    return;
  }
  const objects = elementsAreObjects(before, after);
  const order = `${elementOrderPrefix}/${key}`;
  if (!objects) {
    const [had, has] = [new Set(before), new Set(after)];
    const added = after.filter((item) => !had.has(item));
    const gone = [...had].filter((item) => !has.has(item));
    if (added.length > 0) patch[key] = added;
    if (gone.length > 0) patch[`${deleteListPrefix}/${key}`] = gone;
    if (after.length > 0) patch[order] = [...after];
    return;
  }
  const { mergeKey } = rule;
  const changes = diffElements(before as JsonObject[], after as JsonObject[], rule);
  if (changes.length > 0) patch[key] = changes;
  if (after.length > 0) patch[order] = after.map((item) => ({ [mergeKey]: identityOf(item, mergeKey) }));
}

/** Changed and new elements in the new order, then a directive for each that is gone. */
function diffElements(before: readonly JsonObject[], after: readonly JsonObject[], rule: ListRule): JsonObject[] {
  const { mergeKey, items, retainKeys } = rule;
  const originals = new Map(before.map((item) => [identityOf(item, mergeKey), item]));
  const changes: JsonObject[] = [];
  const kept = new Set<Json>();
  for (const item of after) {
    const identity = identityOf(item, mergeKey);
    kept.add(identity);
    const original = originals.get(identity);
    if (original === undefined) {
      changes.push(item);
      continue;
    }
    const change = diffObjects(original, item, items, retainKeys);
    if (Object.keys(change).length > 0) changes.push({ ...change, [mergeKey]: identity });
  }
  for (const identity of originals.keys()) {
    if (!kept.has(identity)) changes.push({ [mergeKey]: identity, [patchDirective]: 'delete' });
  }
  return changes;
}
