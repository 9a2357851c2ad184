import { encodeJson } from '../../codec/json.ts';
import { jsonListComma, jsonListEnd, jsonListHead } from '../../codec/json-list.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import { jsonWatchFrame } from '../../codec/watch-frames.ts';
import { prettyJson } from '../../http/respond.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { Form } from './form.ts';
import { bookmarkObject, jsonAt } from './versioned.ts';

const newline = Buffer.from('\n');

/** Objects as JSON: stored bytes as they are, with commas between. */
export function jsonForm(definition: ResourceDefinition, pretty: boolean): Form {
  const json = jsonAt(definition);
  const whole = (bytes: Uint8Array): Uint8Array => (pretty ? prettyJson(bytes) : Buffer.concat([bytes, newline]));
  return {
    contentType: 'application/json',
    streamType: 'application/json',
    text: true,
    one: (stored) => whole(json(stored)),
    oneObject: (object) => whole(encodeJson(object)),
    list: (items, meta) => {
      const pieces = listPieces(definition, json, items, meta);
      return pretty ? [prettyJson(Buffer.concat([...pieces]))] : pieces;
    },
    frame: (type, stored) => jsonWatchFrame(type, json(stored)),
    bookmark: (revision, annotations) =>
      jsonWatchFrame('BOOKMARK', encodeJson(bookmarkObject(definition, revision, annotations))),
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}

function* listPieces(
  definition: ResourceDefinition,
  json: (stored: StoredObject) => Uint8Array,
  items: readonly StoredObject[],
  meta: ListMeta,
): Iterable<Uint8Array> {
  yield jsonListHead(formatGroupVersion(definition), definition.listKind, meta);
  for (let index = 0; index < items.length; index++) {
    if (index > 0) yield jsonListComma;
    yield json(items[index]);
  }
  yield jsonListEnd;
}
