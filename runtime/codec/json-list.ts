import { stringifyJson } from './json.ts';
import { type ListMeta, listMetaObject } from './list-meta.ts';

/** The bytes between two items of a JSON list. */
export const jsonListComma: Uint8Array = Buffer.from(',');
/** The bytes after the last item. */
export const jsonListEnd: Uint8Array = Buffer.from(']}\n');

/**
 * Returns the start of a list in JSON: `{"kind":"PodList","apiVersion":"v1","metadata":{...},"items":[`. The encoded
 * items follow, with commas between them, and then jsonListEnd. Nothing is encoded twice.
 *
 * @param isUnstructured see listMetaObject
 */
export function jsonListHead(apiVersion: string, listKind: string, meta: ListMeta, isUnstructured = false): Uint8Array {
  const names = `"kind":${stringifyJson(listKind)},"apiVersion":${stringifyJson(apiVersion)}`;
  return Buffer.from(`{${names},"metadata":${stringifyJson(listMetaObject(meta, isUnstructured))},"items":[`);
}
