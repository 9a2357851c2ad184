import type { MergeSchema } from '../../machinery/merge-schema.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { applyMergePatch } from '../merge-patch.ts';

/** Applies a strategic merge patch. The document is not changed. Throws PatchError. */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, _schema: MergeSchema): JsonObject {
  return applyMergePatch(document, patch) as JsonObject;
}
