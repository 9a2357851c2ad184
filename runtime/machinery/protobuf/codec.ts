import type { BinaryReader } from '@bufbuild/protobuf/wire';
import type { Message } from './message.ts';
import type { MessageWriter as BinaryWriter } from './message-writer.ts';

export type { BinaryReader, BinaryWriter };

/**
 * Converts one message type between its wire format and its JSON shape, without an intermediate message object.
 *
 * `encode` writes the same bytes as Go's generated marshaller: fields by ascending number, non-pointer fields always,
 * map entries by key. `decode` reads `length` bytes, skips unknown fields, and returns the JSON that Go writes for the
 * object. `prune` would not change it.
 */
export interface ProtobufCodec<T> {
  encode(object: T, writer: BinaryWriter): void;
  decode(reader: BinaryReader, length: number): T;
  /** The fields, for code that writes a message without decoding an object. */
  readonly message?: Message | undefined;
}
