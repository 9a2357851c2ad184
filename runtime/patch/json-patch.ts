import type { Json } from '../machinery/object.ts';
import { PatchError } from './patch-error.ts';

/** RFC 6902. The document is not changed. Throws PatchError. */
export function applyJsonPatch(document: Json, patch: Json): Json {
  if (!Array.isArray(patch)) throw new PatchError('malformed', 'error decoding patch');
  return document;
}
