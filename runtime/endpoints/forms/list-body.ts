import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Bytes of an answer, none where only time has passed; or an object that writes its own JSON where it is told. */
export type Piece = Uint8Array | StoredObject;

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
