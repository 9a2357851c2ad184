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

/** Applies a merge patch (RFC 7386) that may be any value. */
export function mergeJson(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  if (!isJsonObject(target)) return withoutNulls(patch);
  const result: JsonObject = { ...target };
  for (const key of Object.keys(patch)) {
    if (patch[key] === null) delete result[key];
    else setMember(result, key, mergeJson(memberOf(result, key), patch[key]));
  }
  return result;
}

/** Returns the patch without nulls. Copies only objects that contain nulls, to save memory. */
function withoutNulls(patch: JsonObject): JsonObject {
  const keys = Object.keys(patch);
  let result: JsonObject | undefined;
  for (const [at, key] of keys.entries()) {
    const value = patch[key];
    const remaining = isJsonObject(value) ? withoutNulls(value) : value;
    if (result === undefined) {
      if (remaining === value && value !== null) continue;
      result = {};
      for (const before of keys.slice(0, at)) setMember(result, before, patch[before]);
    }
    if (remaining !== null) setMember(result, key, remaining);
  }
  return result ?? patch;
}
