import { isJsonObject, jsonTypeOf, memberOf, setMember } from '../machinery/json/values.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import { PatchError } from './patch-error.ts';

/**
 * Applies a merge patch (RFC 7386) that is an object: null removes a member, objects are merged, and any other value
 * replaces the member. The document is not changed. The result may share parts with it and with the patch.
 *
 * @throws PatchError `malformed` if the patch is not an object
 */
export function applyMergePatch(document: Json, patch: Json): JsonObject {
  if (!isJsonObject(patch)) {
    const message = `json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type map[string]interface {}`;
    throw new PatchError('malformed', `error decoding patch: ${message}`);
  }
  return mergeJson(document, patch) as JsonObject;
}

/**
 * Applies a merge patch (RFC 7386) of any type. As in upstream, a value that replaces anything but an object also loses
 * the null members of objects in its lists. (evanphx/json-patch v4 pruneNulls)
 */
export function mergeJson(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(target)) return withoutNulls(patch);
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = { ...target };
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else setMember(result, key, mergeJson(memberOf(result, key), change));
  }
  return result;
}

/** Returns the patch without null members. Copies only parts with such members, to save memory. */
export function withoutNulls(patch: Json): Json {
  if (Array.isArray(patch)) {
    const items = patch.map(withoutNulls);
    return items.some((item, i) => item !== patch[i]) ? items : patch;
  }
  if (!isJsonObject(patch)) return patch;
  const members = Object.entries(patch);
  let result: JsonObject | undefined;
  for (const [at, [key, value]] of members.entries()) {
    const remaining = withoutNulls(value);
    if (result === undefined) {
      if (remaining === value && value !== null) continue;
      result = {};
      for (const [before, kept] of members.slice(0, at)) setMember(result, before, kept);
    }
    if (remaining !== null) setMember(result, key, remaining);
  }
  return result ?? patch;
}
