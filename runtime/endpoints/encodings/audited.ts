import type { ListMeta } from '../../codec/list-meta.ts';
import type { AuditContext } from '../../machinery/audit-context.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { Bookmark } from './bookmark.ts';
import type { ListBody, Piece } from './list-body.ts';
import { withoutManagedFields } from './managed-fields.ts';
import type { ResponseEncoding } from './response-encoding.ts';

/** The number of JSON pieces that are recorded for each piece of a response in another media type. */
const piecesAtOnce = 3;

/**
 * Records objects and lists for the audit of one request while encoding them for its response. If the response is JSON,
 * the same bytes serve both. (audit.LogResponseObject)
 */
export class AuditedEncoding implements ResponseEncoding {
  readonly contentType: string;
  readonly streamType?: string | undefined;
  readonly isText: boolean;
  readonly isRefused: boolean;
  readonly #audit: AuditContext;
  readonly #encoding: ResponseEncoding;
  readonly #json: ResponseEncoding;

  /** @param json writes the same as `encoding`, as compact JSON; may be the same */
  constructor(audit: AuditContext, encoding: ResponseEncoding, json: ResponseEncoding) {
    this.contentType = encoding.contentType;
    this.streamType = encoding.streamType;
    this.isText = encoding.isText;
    this.isRefused = encoding.isRefused ?? false;
    this.#audit = audit;
    this.#encoding = encoding;
    this.#json = json;
  }

  encodeStored(stored: StoredObject): Uint8Array {
    const json = this.#log(this.#json.encodeStored(stored));
    return this.#isJson ? json : this.#encoding.encodeStored(stored);
  }

  encode(object: KubeObject): Uint8Array {
    const json = this.#log(this.#json.encode(object));
    return this.#isJson ? json : this.#encoding.encode(object);
  }

  /** Records the list with its last piece. A list that the client abandons is not recorded. */
  encodeList(items: readonly StoredObject[], meta: ListMeta): ListBody {
    const { length, pieces } = this.#encoding.encodeList(items, meta);
    if (this.#isJson) return { length, pieces: this.#recorded(pieces) };
    return { length, pieces: this.#recordedBeside(pieces, this.#json.encodeList(items, meta).pieces) };
  }

  encodeEvent(type: 'ADDED' | 'MODIFIED' | 'DELETED', stored: StoredObject, first: boolean): Uint8Array {
    return this.#encoding.encodeEvent(type, stored, first);
  }

  encodeBookmark(bookmark: Bookmark, first: boolean): Uint8Array {
    return this.#encoding.encodeBookmark(bookmark, first);
  }

  encodeError(status: object): Uint8Array {
    return this.#encoding.encodeError(status);
  }

  get #isJson(): boolean {
    return this.#encoding === this.#json;
  }

  #log(json: Uint8Array): Uint8Array {
    this.#audit.logResponseObject([this.#cut(json)]);
    return json;
  }

  *#recorded(pieces: Iterable<Piece>): Iterable<Piece> {
    const record: Uint8Array[] = [];
    for (const piece of pieces) {
      const bytes = bytesOf(piece);
      record.push(this.#cut(bytes));
      yield bytes;
    }
    this.#audit.logResponseObject(record);
  }

  *#recordedBeside(pieces: Iterable<Piece>, jsonPieces: Iterable<Piece>): Iterable<Piece> {
    const record: Uint8Array[] = [];
    const json = jsonPieces[Symbol.iterator]();
    for (const piece of pieces) {
      this.#take(json, piecesAtOnce, record);
      yield piece;
    }
    this.#take(json, Number.POSITIVE_INFINITY, record);
    this.#audit.logResponseObject(record);
  }

  #take(json: Iterator<Piece>, count: number, record: Uint8Array[]): void {
    for (let taken = 0; taken < count; taken++) {
      const next = json.next();
      if (next.done) return;
      record.push(this.#cut(bytesOf(next.value)));
    }
  }

  #cut(json: Uint8Array): Uint8Array {
    return this.#audit.omitManagedFields ? withoutManagedFields(json) : json;
  }
}

const bytesOf = (piece: Piece): Uint8Array => (piece instanceof Uint8Array ? piece : piece.json);
