import { isJsonObject, jsonTypeOf, memberOf, setMember } from '../machinery/json/values.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import { PatchError } from './patch-error.ts';

/**
 * RFC 7386 for objects: a null in the patch removes a member, objects are merged, anything else replaces. The
 * document is not changed; the result may share parts with it and with the patch. Throws PatchError
 * (`malformed`) when the patch is not an object.
 */
export function applyMergePatch(document: Json, patch: Json): JsonObject {
  if (!isJsonObject(patch)) {
    const message = `json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type map[string]interface {}`;
    throw new PatchError('malformed', `error decoding patch: ${message}`);
  }
  return mergeJson(document, patch) as JsonObject;
}

/** RFC 7386 as written, for any two values. */
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

/** A patch of nothing: the patch itself unless it has nulls, since a copy would take as much memory again. */
function withoutNulls(patch: JsonObject): JsonObject {
  const keys = Object.keys(patch);
  let result: JsonObject | undefined;
  for (const [at, key] of keys.entries()) {
    const value = patch[key];
    const left = isJsonObject(value) ? withoutNulls(value) : value;
    if (result === undefined) {
      if (left === value && value !== null) continue;
      result = {};
      for (const before of keys.slice(0, at)) setMember(result, before, patch[before]);
    }
    if (left !== null) setMember(result, key, left);
  }
  return result ?? patch;
}
