import { cborListPieces, cborWatchFrame, encodeCbor } from '../../codec/cbor.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { bookmarkObject, objectAt, withoutType } from './versioned.ts';

/** Objects as CBOR: each is encoded once, and lists are put together from objects. Watches are sequences of items. */
export function cborEncoding(definition: ResourceDefinition): ResponseEncoding {
  const apiVersion = formatGroupVersion(definition);
  const key = `cbor ${apiVersion}`;
  const one = (stored: StoredObject): Uint8Array =>
    stored.cacheEncode(key, () => encodeCbor(objectAt(definition, stored)));
  const item = (stored: StoredObject): Uint8Array =>
    stored.cacheEncode(`${key} item`, () => encodeCbor(withoutType(objectAt(definition, stored))));
  const listed = definition.type.unstructured ? one : item;
  return {
    contentType: 'application/cbor',
    streamType: 'application/cbor-seq',
    text: false,
    one,
    oneObject: encodeCbor,
    list: (items, meta) => ({
      pieces: cborListPieces(apiVersion, definition.listKind, meta, items.length, (index) => listed(items[index])),
    }),
    frame: (type, stored) => cborWatchFrame(type, one(stored)),
    bookmark: (revision, _first, annotations) =>
      cborWatchFrame('BOOKMARK', encodeCbor(bookmarkObject(definition, revision, annotations))),
    error: (status) => cborWatchFrame('ERROR', encodeCbor(status)),
  };
}
