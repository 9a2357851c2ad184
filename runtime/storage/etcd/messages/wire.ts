import { type BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/*
 * The messages of etcd's API v3 that the engine uses, with the fields that it uses. Field numbers are those of etcd's
 * rpc.proto and kv.proto. Fields with the default value are not written. Revisions are numbers: a counter of 2^53
 * writes outlasts any server.
 */

/** Reads the fields of a message that ends at `end`. `read` returns false for unknown fields. */
export function readFields(reader: BinaryReader, end: number, read: (field: number) => boolean): void {
  while (reader.pos < end) {
    const [field, wireType] = reader.tag();
    if (!read(field)) reader.skip(wireType, field);
  }
}

/** Returns the end of the message in this field. */
export const endOfMessage = (reader: BinaryReader): number => reader.uint32() + reader.pos;

export const readInt64 = (reader: BinaryReader): number => Number(reader.int64());

export function writeInt64(writer: BinaryWriter, field: number, value: number | undefined): void {
  if (value !== undefined && value !== 0) writer.tag(field, WireType.Varint).int64(value);
}

export function writeBool(writer: BinaryWriter, field: number, value: boolean | undefined): void {
  if (value === true) writer.tag(field, WireType.Varint).bool(true);
}

export function writeBytes(writer: BinaryWriter, field: number, value: Uint8Array): void {
  if (value.length > 0) writer.tag(field, WireType.LengthDelimited).bytes(value);
}

export function writeKey(writer: BinaryWriter, field: number, key: string | undefined): void {
  if (key !== undefined && key !== '') writer.tag(field, WireType.LengthDelimited).string(key);
}

export function writeMessage(writer: BinaryWriter, field: number, write: (writer: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

/** Returns the revision of the ResponseHeader in this field. */
export function readHeaderRevision(reader: BinaryReader): number {
  let revision = 0;
  readFields(reader, endOfMessage(reader), (field) => {
    if (field !== 3) return false;
    revision = readInt64(reader);
    return true;
  });
  return revision;
}
