import { prettyJson } from '../../codec/json/pretty.ts';
import { encodeJson, encodeJsonLine } from '../../codec/json.ts';
import { jsonListComma, jsonListEnd, jsonListHead } from '../../codec/json-list.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import { jsonWatchFrame, type WatchEventType } from '../../codec/watch-frames.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { isStorageVersion } from '../../resources/views.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { type Bookmark, bookmarkObject } from './bookmark.ts';
import { bytesOf, type ListBody, ListItem, type Piece } from './list-body.ts';
import { prettyPieces } from './pretty-list.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { jsonAt, objectAt, withoutType } from './versioned.ts';

const newline = Buffer.from('\n');

/** Encodes objects as JSON. A list of objects at the storage version is their stored bytes with commas between. */
export class JsonEncoding implements ResponseEncoding {
  readonly contentType = 'application/json';
  readonly streamType = 'application/json';
  readonly isText = true;
  readonly #definition: ResourceDefinition;
  readonly #pretty: boolean;
  readonly #isStorageVersion: boolean;
  readonly #json: (stored: StoredObject) => Uint8Array;
  readonly #item: (stored: StoredObject) => Piece;

  constructor(definition: ResourceDefinition, pretty: boolean) {
    this.#definition = definition;
    this.#pretty = pretty;
    this.#isStorageVersion = isStorageVersion(definition);
    this.#json = jsonAt(definition);
    this.#item = itemAt(definition);
  }

  get copiesStored(): boolean {
    return this.#isStorageVersion && !this.#pretty;
  }

  encodeStored(stored: StoredObject): Uint8Array {
    if (this.copiesStored) return storedLine(stored);
    return this.#whole(this.#json(stored));
  }

  encode(object: KubeObject): Uint8Array {
    return this.#pretty ? prettyJson(encodeJson(object)) : encodeJsonLine(object);
  }

  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody {
    const { listKind, type } = this.#definition;
    const head = jsonListHead(formatGroupVersion(this.#definition), listKind, meta, type.unstructured);
    if (this.#pretty) return { pieces: prettyPieces(head, items.length, (index) => bytesOf(this.#item(elementAt(items, index)))) };
    const pieces = jsonPieces(head, items.length, (index) => this.#item(elementAt(items, index)));
    return this.#isStorageVersion ? { pieces, length: this.#listLength(head, items) } : { pieces };
  }

  encodeEvent(type: WatchEventType, stored: StoredObject): Uint8Array {
    return jsonWatchFrame(type, this.#json(stored));
  }

  encodeBookmark(bookmark: Bookmark): Uint8Array {
    return jsonWatchFrame('BOOKMARK', encodeJson(bookmarkObject(this.#definition, bookmark)));
  }

  encodeError(status: object): Uint8Array {
    return jsonWatchFrame('ERROR', encodeJson(status));
  }

  #whole(json: Uint8Array): Uint8Array {
    return this.#pretty ? prettyJson(json) : Buffer.concat([json, newline]);
  }

  #listLength(head: Uint8Array, items: readonly StoredObject[]): number {
    const { unstructured } = this.#definition.type;
    let length = head.length + jsonListEnd.length + Math.max(0, items.length - 1);
    for (const { jsonLength, itemLength } of items) length += unstructured ? jsonLength : itemLength;
    return length;
  }
}

/** Copies the stored bytes, with a newline after them, once. */
function storedLine(stored: StoredObject): Uint8Array {
  const line = Buffer.allocUnsafe(stored.jsonLength + 1);
  line[stored.writeJson(line, 0)] = 0x0a;
  return line;
}

/** Returns the function that makes an object an item of a list. Only items of unstructured types have a kind and apiVersion. */
function itemAt(definition: ResourceDefinition): (stored: StoredObject) => Piece {
  if (definition.type.unstructured) return (stored) => stored;
  if (isStorageVersion(definition)) return (stored) => new ListItem(stored);
  const key = `item ${formatGroupVersion(definition)}`;
  return (stored) => stored.cacheEncode(key, () => encodeJson(withoutType(objectAt(definition, stored))));
}

/** Yields a list in JSON: the head, the items with commas between, and the end. */
export function* jsonPieces(head: Uint8Array, count: number, item: (index: number) => Piece): Iterable<Piece> {
  yield head;
  for (let index = 0; index < count; index++) {
    if (index > 0) yield jsonListComma;
    yield item(index);
  }
  yield jsonListEnd;
}
