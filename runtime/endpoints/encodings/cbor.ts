import { cborListPieces, cborWatchFrame, encodeCbor } from '../../codec/cbor.ts';
import type { ListMeta } from '../../codec/list-meta.ts';
import type { WatchEventType } from '../../codec/watch-frames.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { type Bookmark, bookmarkObject } from './bookmark.ts';
import type { ListBody } from './list-body.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { objectAt, withoutType } from './versioned.ts';

/** Encodes objects as CBOR, each once: lists are assembled from encoded items. Watches are CBOR sequences. */
export class CborEncoding implements ResponseEncoding {
  readonly contentType = 'application/cbor';
  readonly streamType = 'application/cbor-seq';
  readonly isText = false;
  readonly #definition: ResourceDefinition;
  readonly #apiVersion: string;
  readonly #key: string;
  readonly #itemKey: string;

  constructor(definition: ResourceDefinition) {
    this.#definition = definition;
    this.#apiVersion = formatGroupVersion(definition);
    this.#key = `cbor ${this.#apiVersion}`;
    this.#itemKey = `${this.#key} item`;
  }

  encodeStored(stored: StoredObject): Uint8Array {
    return stored.cacheEncode(this.#key, () => encodeCbor(objectAt(this.#definition, stored)));
  }

  encode(object: KubeObject): Uint8Array {
    return encodeCbor(object);
  }

  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody {
    const item = (index: number): Uint8Array => this.#item(elementAt(items, index));
    const { listKind: kind, type } = this.#definition;
    const list = { apiVersion: this.#apiVersion, kind, isUnstructured: type.unstructured };
    return { pieces: cborListPieces(list, meta, items.length, item) };
  }

  encodeEvent(type: WatchEventType, stored: StoredObject): Uint8Array {
    return cborWatchFrame(type, this.encodeStored(stored));
  }

  encodeBookmark(bookmark: Bookmark): Uint8Array {
    return cborWatchFrame('BOOKMARK', encodeCbor(bookmarkObject(this.#definition, bookmark)));
  }

  encodeError(status: object): Uint8Array {
    return cborWatchFrame('ERROR', encodeCbor(status));
  }

  #item(stored: StoredObject): Uint8Array {
    if (this.#definition.type.unstructured) return this.encodeStored(stored);
    return stored.cacheEncode(this.#itemKey, () => encodeCbor(withoutType(objectAt(this.#definition, stored))));
  }
}
