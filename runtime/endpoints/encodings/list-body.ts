import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Something that writes its own JSON where it is told. */
export type JsonWriter = Pick<StoredObject, 'json' | 'jsonLength' | 'writeJson'>;

/** Bytes of an answer, none where only time has passed; or what writes itself. */
export type Piece = Uint8Array | JsonWriter;

/** An object as an item of a list: without its kind and apiVersion. */
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

/** A list in pieces that follow each other without anything between. */
export interface ListBody {
  /** The size of all pieces together; undefined where they are made on the way. */
  readonly length?: number;
  readonly pieces: Iterable<Piece>;
}

export function pieceLength(piece: Piece): number {
  return piece instanceof Uint8Array ? piece.length : piece.jsonLength;
}

/** Writes the piece to `target` at `start`; gives the place behind. */
export function writePiece(piece: Piece, target: Uint8Array, start: number): number {
  if (!(piece instanceof Uint8Array)) return piece.writeJson(target, start);
  target.set(piece, start);
  return start + piece.length;
}
