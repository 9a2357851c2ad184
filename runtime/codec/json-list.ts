import { stringifyJson } from './json.ts';
import { type ListMeta, listMetaObject } from './list-meta.ts';

/** Between two items of a JSON list. */
export const jsonListComma: Uint8Array = Buffer.from(',');
/** After the last item. */
export const jsonListEnd: Uint8Array = Buffer.from(']}\n');

/**
 * The start of a list in JSON: `{"kind":"PodList","apiVersion":"v1","metadata":{...},"items":[`. The encoded items
 * follow, with commas between them, and then jsonListEnd. Nothing is encoded twice.
 */
export function jsonListHead(apiVersion: string, listKind: string, meta: ListMeta): Uint8Array {
  const names = `"kind":${stringifyJson(listKind)},"apiVersion":${stringifyJson(apiVersion)}`;
  return Buffer.from(`{${names},"metadata":${stringifyJson(listMetaObject(meta))},"items":[`);
}

/** A whole JSON list of encoded items. */
export function encodeJsonList(
  apiVersion: string,
  listKind: string,
  meta: ListMeta,
  items: readonly Uint8Array[],
): Uint8Array {
  const parts = [jsonListHead(apiVersion, listKind, meta)];
  items.forEach((item, i) => {
    if (i > 0) parts.push(jsonListComma);
    parts.push(item);
  });
  parts.push(jsonListEnd);
  return Buffer.concat(parts);
}
