import type { ListMeta } from '../../codec/list-meta.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ListBody } from './list-body.ts';

/**
 * One way to write objects of one resource: a version, a media type and a projection (the object itself, a Table, its
 * metadata). Made once and kept; see forms.ts. Whatever it makes of a stored object is kept with that object while it
 * is asked for.
 */
export interface ResponseEncoding {
  /** Of answers that are one object or a list. */
  readonly contentType: string;
  /** Of watches; undefined where watches cannot have this form. */
  readonly streamType?: string;
  /** True when a watch over WebSocket sends text messages. */
  readonly text: boolean;
  /** The whole answer for one object. */
  one(stored: StoredObject): Uint8Array;
  /** The same for an object that is not stored, at the version of the request. */
  oneObject(object: KubeObject): Uint8Array;
  list(items: readonly StoredObject[], meta: ListMeta): ListBody;
  /** One event of a watch. `first` is the first event of its stream. */
  frame(type: 'ADDED' | 'MODIFIED' | 'DELETED', stored: StoredObject, first: boolean): Uint8Array;
  /** A bookmark: an object with nothing but a resourceVersion, and annotations. `first` as in `frame`. */
  bookmark(revision: number, first: boolean, annotations?: Record<string, string>): Uint8Array;
  /** An ERROR event with a Status. */
  error(status: object): Uint8Array;
}
