import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { DecodeError, isDecodeError } from '../errors/decode-error.ts';
import { sortedKeys } from '../go/key-order.ts';
import { setMember } from '../json/values.ts';
import { maxDepth } from '../limits.ts';
import { canonicalInt64, type Integer } from '../scalars/integers.ts';
import type { BinaryWriter, ProtobufCodec } from './codec.ts';
import { Message, type MessageField } from './message.ts';

/** The parts that generated protobuf codecs share: bounds, int64, maps, and unknown fields. */

/** A struct without fields, in place of an absent struct that Go would write. */
export const empty = Object.freeze({}) as never;

/** Joins encoding and decoding. Errors of the wire reader about truncated bytes become DecodeError. */
export function messageCodec<T>(
  encode: (object: T, writer: BinaryWriter) => void,
  decode: (reader: BinaryReader, length: number) => T,
  message?: Message,
): ProtobufCodec<T> {
  return {
    encode,
    message,
    decode(reader, length) {
      try {
        return decode(reader, length);
      } catch (error) {
        throw decodeErrorOf(error);
      }
    },
  };
}

/** Converts an error of a BinaryReader into a DecodeError in the words of gogo/protobuf. Returns other errors unchanged. */
export function decodeErrorOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || isDecodeError(error)) return error;
  const { name, message } = error as Error;
  if (name === 'RangeError') return new DecodeError('unexpected EOF');
  if (name !== 'Error') return error;
  return new DecodeError(message.includes('varint') ? 'proto: integer overflow' : `proto: ${message}`);
}

/** The end of a message of `length` bytes. Throws DecodeError if it is beyond the buffer. */
export function endOf(reader: BinaryReader, length: number): number {
  const end = reader.pos + length;
  if (end > reader.len) throw new DecodeError('unexpected EOF');
  return end;
}

/** Checks that the last field ends where the message ends. */
export function checkEnd(reader: BinaryReader, end: number): void {
  if (reader.pos !== end) throw new DecodeError('unexpected EOF');
}

const wireTypes = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/**
 * Skips an unknown field of a message. (gogo/protobuf's generated Unmarshal)
 *
 * @throws DecodeError for a field that the message has with another wire type
 */
export function skipField(reader: BinaryReader, tag: number, message: Message): void {
  const field = tag >>> 3;
  const wireType = tag & 7;
  if (wireType === wireTypes.endGroup) throw new DecodeError(`proto: ${message.name}: wiretype end group for non-group`);
  if (field === 0) throw new DecodeError(`proto: ${message.name}: illegal tag ${field} (wire type ${wireType})`);
  const known = message.fields.find((one) => one.tag >>> 3 === field);
  if (known !== undefined) throw new DecodeError(`proto: wrong wireType = ${wireType} for field ${goNameOf(known)}`);
  skipValue(reader, wireType);
}

/** Returns the name of a field in Go: `x-kubernetes-list-type` is XKubernetesListType, an embedded struct has its type's name. */
function goNameOf({ json, value }: MessageField): string {
  if (value instanceof Message && (json === '' || json === 'metadata')) return value.name;
  return json.replace(/(?:^|[^a-zA-Z0-9]+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Skips a value, with all that a group holds. Groups may nest to any depth, and their ends need not name their beginnings. */
function skipValue(reader: BinaryReader, first: number): void {
  let depth = 0;
  let wireType = first;
  for (;;) {
    if (wireType === wireTypes.startGroup) depth++;
    else if (wireType === wireTypes.endGroup) depth--;
    else skipLeaf(reader, wireType);
    if (depth === 0) return;
    wireType = reader.uint32() & 7;
  }
}

function skipLeaf(reader: BinaryReader, wireType: number): void {
  if (wireType === wireTypes.varint) reader.uint64();
  else if (wireType === wireTypes.fixed64) reader.pos += 8;
  else if (wireType === wireTypes.fixed32) reader.pos += 4;
  else if (wireType === wireTypes.bytes) reader.pos = reader.uint32() + reader.pos;
  else throw new DecodeError(`proto: illegal wireType ${wireType}`);
  if (reader.pos > reader.len) throw new DecodeError('unexpected EOF');
}

const depths = new WeakMap<BinaryReader, number>();

/** Counts nested messages of types that can contain themselves. The limit is 1,000. */
export function descend(reader: BinaryReader): void {
  const depth = (depths.get(reader) ?? 0) + 1;
  if (depth > maxDepth) throw new DecodeError('exceeded max depth');
  depths.set(reader, depth);
}

export function ascend(reader: BinaryReader): void {
  depths.set(reader, (depths.get(reader) ?? 1) - 1);
}

export function readInt64(reader: BinaryReader): Integer {
  const start = reader.pos;
  const low = reader.uint32();
  // Up to four bytes hold only the low 28 bits.
  if (reader.pos - start <= 4) return low;
  reader.pos = start;
  return canonicalInt64(BigInt(reader.int64()));
}

export function readUint64(reader: BinaryReader): Integer {
  return canonicalInt64(BigInt(reader.uint64()));
}

export function writeInt64(writer: BinaryWriter, value: Integer | null | undefined): void {
  if (value == null) writer.uint32(0);
  else if (typeof value === 'number' && value >= 0 && value <= 0xffffffff) writer.uint32(value);
  else writer.int64(value);
}

export function writeUint64(writer: BinaryWriter, value: Integer | null | undefined): void {
  if (value == null) writer.uint32(0);
  else if (typeof value === 'number' && value <= 0xffffffff) writer.uint32(value);
  else writer.uint64(value);
}

/** Reads bytes as base64, their JSON form. */
export function readBytes(reader: BinaryReader): string {
  const bytes = reader.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Writes bytes. Writes nothing for null, which is nil in Go. */
export function writeBytes(writer: BinaryWriter, tag: number, value: string | null | undefined): void {
  if (value != null) writer.uint32(tag).bytes(Buffer.from(value, 'base64'));
}

/** Reads the value of a map entry after its tag. Returns the zero value if the entry has none. */
export type ReadValue<T> = (reader: BinaryReader, present: boolean) => T;

export const stringValue: ReadValue<string> = (reader, present) => (present ? reader.string() : '');
/** Absent bytes are empty, as gogo's generated code reads them. */
export const bytesValue: ReadValue<string> = (reader, present) => (present ? readBytes(reader) : '');
export const boolValue: ReadValue<boolean> = (reader, present) => present && reader.bool();
export const int32Value: ReadValue<number> = (reader, present) => (present ? reader.int32() : 0);
export const uint32Value: ReadValue<number> = (reader, present) => (present ? reader.uint32() : 0);
export const int64Value: ReadValue<Integer> = (reader, present) => (present ? readInt64(reader) : 0);
export const uint64Value: ReadValue<Integer> = (reader, present) => (present ? readUint64(reader) : 0);
export const doubleValue: ReadValue<number> = (reader, present) => (present ? reader.double() : 0);

/** Reads one map entry into `target`. */
export function readEntry<T>(reader: BinaryReader, target: Record<string, T>, readValue: ReadValue<T>): void {
  const end = endOf(reader, reader.uint32());
  let key = '';
  let value: T | undefined;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) key = reader.string();
    else if (tag >>> 3 === 2) value = readValue(reader, true);
    else skipValue(reader, tag & 7);
  }
  checkEnd(reader, end);
  setMember(target, key, value === undefined ? readValue(reader, false) : value);
}

/** Sorts the keys as Go's JSON does. */
export function sortMap<T>(map: Record<string, T>): Record<string, T> {
  const keys = Object.keys(map);
  if (keys.length < 2) return map;
  const sorted = sortedKeys(map);
  if (keys.every((key, index) => key === sorted[index])) return map;
  const output: Record<string, T> = {};
  for (const key of sorted) setMember(output, key, map[key]);
  return output;
}

/** Writes a map, sorted by key. `writeValue` writes the tag and the value. */
export function writeMap<T>(
  writer: BinaryWriter,
  tag: number,
  map: Readonly<Record<string, T>> | null | undefined,
  writeValue: (writer: BinaryWriter, value: T) => void,
): void {
  if (map == null) return;
  for (const key of sortedKeys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    writer.uint32(tag).fork().uint32(10).string(key);
    writeValue(writer, value);
    writer.join();
  }
}

export function writeStringValue(writer: BinaryWriter, value: string): void {
  writer.uint32(18).string(value);
}
