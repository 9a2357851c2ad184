import type { ListMeta } from '../../codec/list-meta.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { Bookmark } from './bookmark.ts';
import type { ListBody } from './list-body.ts';

/**
 * Encodes the objects of one resource for responses: at one version, in one media type, and with one projection (the object
 * itself, a row of a Table, or its metadata). One instance serves all requests; see negotiate.ts. Encodings of stored
 * objects are cached with the objects. (runtime.Encoder)
 */
export interface ResponseEncoding {
  /** The Content-Type of objects and lists. */
  readonly contentType: string;
  /** The Content-Type of watches. Undefined if a watch cannot have this encoding. */
  readonly streamType?: string | undefined;
  /** True if a watch over WebSocket sends text messages. */
  readonly isText: boolean;
  /** Whether encodeStored copies the stored bytes. Default: false. */
  readonly copiesStored?: boolean;
  /** True if objects cannot be encoded, so that a watch ends at its first event. Default: false. */
  readonly isRefused?: boolean;
  /** Encodes a stored object as a whole response. */
  encodeStored(stored: StoredObject): Uint8Array;
  /** Encodes an object that is not stored, at the version of the request, as a whole response. */
  encode(object: KubeObject): Uint8Array;
  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody;
  /** Encodes one event of a watch. `first` is true for the first event of a stream. */
  encodeEvent(type: 'ADDED' | 'MODIFIED' | 'DELETED', stored: StoredObject, first: boolean): Uint8Array;
  /** Encodes a bookmark. `first` as in `encodeEvent`. */
  encodeBookmark(bookmark: Bookmark, first: boolean): Uint8Array;
  /** Encodes an ERROR event. */
  encodeError(status: object): Uint8Array;
}
