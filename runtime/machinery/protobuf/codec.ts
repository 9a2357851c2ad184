import type { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';

export type { BinaryReader, BinaryWriter };

/**
 * Moves one message type between the wire and its JSON shape, with no message object between.
 *
 * `encode` writes what Go's generated marshaller writes for the same object, byte for byte: fields by
 * ascending number, non-pointer fields always, map entries by key. `decode` reads `length` bytes, skips
 * unknown fields, and returns the shape that Go's JSON of the same object has: `prune` would not change it.
 */
export interface ProtobufCodec<T> {
  encode(object: T, writer: BinaryWriter): void;
  decode(reader: BinaryReader, length: number): T;
}
