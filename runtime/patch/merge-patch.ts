import type { Json, JsonObject } from '../machinery/object.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * RFC 7386. The document is not changed; the result shares with it, and with the patch, what they did not
 * need to change.
 */
export function applyMergePatch(document: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(document) ? { ...document } : {};
  for (const key of Object.keys(patch)) {
    if (patch[key] === null) {
      delete result[key];
      continue;
    }
    const before = Object.hasOwn(result, key) ? result[key] : null;
    const value = applyMergePatch(before, patch[key]);
    Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return result;
}
