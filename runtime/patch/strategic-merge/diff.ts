import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject, memberOf, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { deleteListPrefix, elementOrderPrefix, patchDirective, retainKeysDirective } from './directives.ts';
import { mergeKeyValue } from './element-order.ts';
import { elementsAreObjects } from './lists.ts';
import { lookupPatchMetadataForSlice, lookupPatchMetadataForStruct, type SlicePatchMetadata } from './patch-metadata.ts';

/**
 * Returns the strategic merge patch that changes `original` to `modified`. `kubectl apply` computes it from the last
 * applied and the new configuration. (apimachinery pkg/util/strategicpatch/patch.go CreateTwoWayMergePatch)
 *
 * @throws PatchError if the schema does not say how to merge a difference
 */
export function createTwoWayStrategicMergePatch(original: JsonObject, modified: JsonObject, schema: MergeSchema): JsonObject {
  return diffObjects(original, modified, schema, false);
}

function diffObjects(original: JsonObject, modified: JsonObject, schema: MergeSchema, retainKeys: boolean): JsonObject {
  const patch: JsonObject = {};
  for (const [key, after] of Object.entries(modified)) {
    const before = memberOf(original, key);
    if (before === undefined) setMember(patch, key, after);
    else if (equalJson(before, after)) continue;
    else if (isJsonObject(before) && isJsonObject(after)) {
      const metadata = lookupPatchMetadataForStruct(schema, key);
      const inner = metadata.replace ? after : diffObjects(before, after, metadata.schema, metadata.retainKeys);
      if (metadata.replace || Object.keys(inner).length > 0) setMember(patch, key, inner);
    } else if (Array.isArray(before) && Array.isArray(after)) {
      const metadata = lookupPatchMetadataForSlice(schema, key);
      if (metadata.merge) Object.assign(patch, diffLists(key, before, after, metadata));
      else setMember(patch, key, after);
    } else setMember(patch, key, after);
  }
  const removed = Object.keys(original).filter((key) => !Object.hasOwn(modified, key));
  const retained = Object.keys(modified).filter((key) => modified[key] !== null);
  for (const key of removed) setMember(patch, key, null);
  if (retainKeys && retained.length > 0 && Object.keys(patch).length > 0) patch[retainKeysDirective] = retained.sort();
  return patch;
}

/** Returns the list of changes, and directives for deleted scalars and for the order of elements. */
function diffLists(key: string, before: readonly Json[], after: readonly Json[], metadata: SlicePatchMetadata): JsonObject {
  if (before.length === 0) return { [key]: [...after] };
  const patch: JsonObject = {};
  const objects = elementsAreObjects(before, after);
  const order = `${elementOrderPrefix}/${key}`;
  if (!objects) {
    const [had, has] = [new Set(before), new Set(after)];
    const added = after.filter((item) => !had.has(item));
    const deleted = [...had].filter((item) => !has.has(item));
    if (added.length > 0) patch[key] = added;
    if (deleted.length > 0) patch[`${deleteListPrefix}/${key}`] = deleted;
    if (after.length > 0) patch[order] = [...after];
    return patch;
  }
  const { mergeKey } = metadata;
  const changes = diffElements(before as JsonObject[], after as JsonObject[], metadata);
  if (changes.length > 0) patch[key] = changes;
  if (after.length > 0) patch[order] = after.map((item) => ({ [mergeKey]: mergeKeyValue(item, mergeKey) }));
  return patch;
}

/** Returns the changed and new elements in the new order, followed by a directive for each deleted element. */
function diffElements(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  { mergeKey, items, retainKeys }: SlicePatchMetadata,
): JsonObject[] {
  const originals = new Map(before.map((item) => [mergeKeyValue(item, mergeKey), item]));
  const changes: JsonObject[] = [];
  const keys = new Set<Json>();
  for (const item of after) {
    const key = mergeKeyValue(item, mergeKey);
    keys.add(key);
    const original = originals.get(key);
    if (original === undefined) {
      changes.push(item);
      continue;
    }
    const change = diffObjects(original, item, items, retainKeys);
    if (Object.keys(change).length > 0) changes.push({ ...change, [mergeKey]: key });
  }
  for (const key of originals.keys()) {
    if (!keys.has(key)) changes.push({ [mergeKey]: key, [patchDirective]: 'delete' });
  }
  return changes;
}
