import { prettyJson } from '../../codec/json/pretty.ts';
import { encodeJson } from '../../codec/json.ts';
import { jsonListComma, jsonListEnd, jsonListHead } from '../../codec/json-list.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import { jsonWatchFrame } from '../../codec/watch-frames.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { type ListBody, ListItem, type Piece } from './list-body.ts';
import { prettyPieces } from './pretty-list.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { bookmarkObject, isStorageVersion, jsonAt, objectAt, withoutType } from './versioned.ts';

const newline = Buffer.from('\n');

/** Objects as JSON: stored bytes as they are, with commas between. */
export function jsonEncoding(definition: ResourceDefinition, pretty: boolean): ResponseEncoding {
  const json = jsonAt(definition);
  const item = itemAt(definition);
  const whole = (bytes: Uint8Array): Uint8Array => (pretty ? prettyJson(bytes) : Buffer.concat([bytes, newline]));
  return {
    contentType: 'application/json',
    streamType: 'application/json',
    text: true,
    one: pretty || !isStorageVersion(definition) ? (stored) => whole(json(stored)) : storedLine,
    oneObject: (object) => whole(encodeJson(object)),
    list: (items, meta) => {
      if (!pretty) return listBody(definition, item, items, meta);
      const head = jsonListHead(formatGroupVersion(definition), definition.listKind, meta);
      return { pieces: prettyPieces(head, items.length, (index) => bytesOf(item(items[index]))) };
    },
    frame: (type, stored) => jsonWatchFrame(type, json(stored)),
    bookmark: (revision, _first, annotations) =>
      jsonWatchFrame('BOOKMARK', encodeJson(bookmarkObject(definition, revision, annotations))),
    error: (status) => jsonWatchFrame('ERROR', encodeJson(status)),
  };
}

/** The stored bytes and a newline, copied once. */
function storedLine(stored: StoredObject): Uint8Array {
  const line = Buffer.allocUnsafe(stored.jsonLength + 1);
  line[stored.writeJson(line, 0)] = 0x0a;
  return line;
}

/** The objects as items of a list: those of custom resources say what they are, others do not. */
function itemAt(definition: ResourceDefinition): (stored: StoredObject) => Piece {
  if (definition.type.unstructured) return (stored) => stored;
  if (isStorageVersion(definition)) return (stored) => new ListItem(stored);
  const key = `item ${formatGroupVersion(definition)}`;
  return (stored) => stored.cacheEncode(key, () => encodeJson(withoutType(objectAt(definition, stored))));
}

const bytesOf = (piece: Piece): Uint8Array => (piece instanceof Uint8Array ? piece : piece.json);

function listBody(
  definition: ResourceDefinition,
  item: (stored: StoredObject) => Piece,
  items: readonly StoredObject[],
  meta: ListMeta,
): ListBody {
  const head = jsonListHead(formatGroupVersion(definition), definition.listKind, meta);
  const pieces = jsonPieces(head, items.length, (index) => item(items[index]));
  if (!isStorageVersion(definition)) return { pieces };
  let length = head.length + jsonListEnd.length + Math.max(0, items.length - 1);
  const { unstructured } = definition.type;
  for (const { jsonLength, itemLength } of items) length += unstructured ? jsonLength : itemLength;
  return { length, pieces };
}

/** A list in JSON: what comes before the items, the items with commas between, and the end. */
export function* jsonPieces(head: Uint8Array, count: number, item: (index: number) => Piece): Iterable<Piece> {
  yield head;
  for (let index = 0; index < count; index++) {
    if (index > 0) yield jsonListComma;
    yield item(index);
  }
  yield jsonListEnd;
}
