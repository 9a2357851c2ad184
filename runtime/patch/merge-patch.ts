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
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    if (patch[key] === null) delete result[key];
    else setMember(result, key, mergeJson(memberOf(result, key), patch[key]));
  }
  return result;
}
