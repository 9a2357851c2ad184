import type { ListMeta } from '../../codec/list-meta.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Something that writes its own JSON into a buffer. */
export type JsonWriter = Pick<StoredObject, 'json' | 'jsonLength' | 'writeJson'>;

/** A part of a response: bytes, which may be empty, or something that writes itself. */
export type Piece = Uint8Array | JsonWriter;

/** An object as an item of a list, without its kind and apiVersion. */
export class ListItem implements JsonWriter {
  readonly #stored: StoredObject;

  constructor(stored: StoredObject) {
    this.#stored = stored;
  }

  get jsonLength(): number {
    return this.#stored.itemLength;
  }

  get json(): Uint8Array {
    const bytes = Buffer.allocUnsafe(this.#stored.itemLength);
    this.#stored.writeItem(bytes, 0);
    return bytes;
  }

  writeJson(target: Uint8Array, start: number): number {
    return this.#stored.writeItem(target, start);
  }
}

/** The members of a list besides its items. */
export interface ListHeader {
  readonly apiVersion: string;
  readonly kind: string;
  readonly meta: ListMeta;
  /** As in listMetaObject. */
  readonly isUnstructured?: boolean | undefined;
}

/** A list as pieces, to be sent one after the other. */
export interface ListBody {
  /** The number of bytes. Undefined if it is not known before the pieces are encoded. */
  readonly length?: number | undefined;
  readonly pieces: Iterable<Piece>;
}

export const bytesOf = (piece: Piece): Uint8Array => (piece instanceof Uint8Array ? piece : piece.json);

export function pieceLength(piece: Piece): number {
  return piece instanceof Uint8Array ? piece.length : piece.jsonLength;
}

/** Writes the piece to `target` at `start`. Returns the position after it. */
export function writePiece(piece: Piece, target: Uint8Array, start: number): number {
  if (!(piece instanceof Uint8Array)) return piece.writeJson(target, start);
  target.set(piece, start);
  return start + piece.length;
}
