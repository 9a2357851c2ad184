import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { DecodeError } from '../errors/decode-error.ts';
import { formatDuration, parseDuration } from '../go/duration.ts';
import { parseRawJson, stringifyRawJson } from '../json/raw-json.ts';
import type { Integer } from '../scalars/integers.ts';
import { canonicalQuantity } from '../scalars/quantity.ts';
import { formatMicroTime, formatTime, type Instant, isZeroTime, parseMicroTime, parseTime } from '../scalars/time.ts';
import type { BinaryWriter } from './codec.ts';
import { listField, type Message, singleField, structMessage } from './message.ts';
import { checkEnd, endOf, readInt64, skipField, writeInt64 } from './wire.ts';

/**
 * Messages of types with their own JSON form. `encodeX` writes the fields of the message, `decodeX` reads `length`
 * bytes; the caller handles tag and length.
 */

const untyped: Message = structMessage('RawExtension', () => [singleField('raw', 10, 'bytes')]);

/** The fields that decoders know. Unknown fields are skipped; a known one with another wire type is an error. */
const messages = {
  quantity: structMessage('Quantity', () => [singleField('string', 10, 'string')]),
  intOrString: structMessage('IntOrString', () => [
    singleField('type', 8, 'int64'),
    singleField('intVal', 16, 'int32'),
    singleField('strVal', 26, 'string'),
  ]),
  timestamp: structMessage('Timestamp', () => [singleField('seconds', 8, 'int64'), singleField('nanos', 16, 'int32')]),
  duration: structMessage('Duration', () => [singleField('duration', 8, 'int64')]),
  untyped,
  stringItems: structMessage('ExtraValue', () => [listField('items', 10, 'string')]),
  schemaOrBool: structMessage('JSONSchemaPropsOrBool', () => [singleField('allows', 8, 'bool'), singleField('schema', 18, untyped)]),
  schemaOrArray: structMessage('JSONSchemaPropsOrArray', () => [singleField('schema', 10, untyped), listField('jSONSchemas', 18, untyped)]),
  schemaOrStringArray: structMessage('JSONSchemaPropsOrStringArray', () => [
    singleField('schema', 10, untyped),
    listField('property', 18, 'string'),
  ]),
};

/** Quantity {string=1}. An absent string reads as zero. */
export function encodeQuantity(value: string | number | null | undefined, writer: BinaryWriter): void {
  writer.uint32(10).string(value == null ? '0' : String(value));
}

export function decodeQuantity(reader: BinaryReader, length: number): string {
  const end = endOf(reader, length);
  let text = '0';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) text = canonicalQuantity(reader.string());
    else skipField(reader, tag, messages.quantity);
  }
  checkEnd(reader, end);
  return text;
}

/** IntOrString {type=1, intVal=2, strVal=3}. All three are always written. */
export function encodeIntOrString(value: string | number | null | undefined, writer: BinaryWriter): void {
  const isString = typeof value === 'string';
  writer.uint32(8).uint32(isString ? 1 : 0);
  writer.uint32(16).int32(isString ? 0 : (value ?? 0));
  writer.uint32(26).string(isString ? value : '');
}

export function decodeIntOrString(reader: BinaryReader, length: number): string | number {
  const end = endOf(reader, length);
  let type: Integer = 0;
  let int = 0;
  let text = '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 8) type = readInt64(reader);
    else if (tag === 16) int = reader.int32();
    else if (tag === 26) text = reader.string();
    else skipField(reader, tag, messages.intOrString);
  }
  checkEnd(reader, end);
  if (type !== 0 && type !== 1) throw new DecodeError('impossible IntOrString.Type');
  return type === 1 ? text : int;
}

/** Timestamp {seconds=1, nanos=2} with whole seconds. The zero time has no fields. */
export function encodeTime(value: string | null | undefined, writer: BinaryWriter): void {
  if (value != null) encodeInstant({ seconds: parseTime(value).seconds, nanoseconds: 0 }, writer);
}

/** Timestamp {seconds=1, nanos=2} with microseconds. The zero time has no fields. */
export function encodeMicroTime(value: string | null | undefined, writer: BinaryWriter): void {
  if (value != null) encodeInstant(parseMicroTime(value), writer);
}

function encodeInstant(instant: Instant, writer: BinaryWriter): void {
  if (isZeroTime(instant)) return;
  writer.uint32(8);
  writeInt64(writer, instant.seconds);
  writer.uint32(16).int32(instant.nanoseconds);
}

export function decodeTime(reader: BinaryReader, length: number): string | null {
  if (length === 0) return null;
  return formatTime({ seconds: decodeInstant(reader, length).seconds, nanoseconds: 0 });
}

export function decodeMicroTime(reader: BinaryReader, length: number): string | null {
  return length === 0 ? null : formatMicroTime(decodeInstant(reader, length));
}

function decodeInstant(reader: BinaryReader, length: number): Instant {
  const end = endOf(reader, length);
  let seconds = 0;
  let nanoseconds = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 8) seconds = Number(readInt64(reader));
    else if (tag === 16) nanoseconds = reader.int32();
    else skipField(reader, tag, messages.timestamp);
  }
  checkEnd(reader, end);
  // Nanoseconds beyond a second carry over, as in Go's time.Unix.
  const carry = Math.floor(nanoseconds / 1e9);
  return { seconds: seconds + carry, nanoseconds: nanoseconds - carry * 1e9 };
}

/** Duration {duration=1}, in nanoseconds. */
export function encodeDuration(value: string | null | undefined, writer: BinaryWriter): void {
  writer.uint32(8);
  writeInt64(writer, value == null ? 0 : parseDuration(value));
}

export function decodeDuration(reader: BinaryReader, length: number): string {
  const end = endOf(reader, length);
  let nanoseconds: Integer = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 8) nanoseconds = readInt64(reader);
    else skipField(reader, tag, messages.duration);
  }
  checkEnd(reader, end);
  return formatDuration(BigInt(nanoseconds));
}

/** RawExtension, FieldsV1, JSON: {raw=1} with JSON text. Null has no field. */
export function encodeUntyped(value: unknown, writer: BinaryWriter): void {
  if (value != null) writer.uint32(10).string(stringifyRawJson(value));
}

export function decodeUntyped(reader: BinaryReader, length: number): unknown {
  const end = endOf(reader, length);
  let value: unknown = null;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) value = parseRawJson(reader.bytes());
    else skipField(reader, tag, messages.untyped);
  }
  checkEnd(reader, end);
  return value;
}

/** Writes lists that are messages, as ExtraValue and Verbs: {items=1}. */
export function encodeStringItems(value: readonly string[] | null | undefined, writer: BinaryWriter): void {
  if (value != null) for (const item of value) writer.uint32(10).string(item);
}

/** Returns null for a message without items, as Go decodes nil. */
export function decodeStringItems(reader: BinaryReader, length: number): string[] | null {
  const end = endOf(reader, length);
  const items: string[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) items.push(reader.string());
    else skipField(reader, tag, messages.stringItems);
  }
  checkEnd(reader, end);
  return items.length === 0 ? null : items;
}

type Encode = (value: never, writer: BinaryWriter) => void;
type Decode = (reader: BinaryReader, length: number) => unknown;

function encodeNested(tag: number, value: unknown, writer: BinaryWriter, encode: Encode): void {
  writer.uint32(tag).fork();
  encode(value as never, writer);
  writer.join();
}

/** JSONSchemaPropsOrBool {allows=1, schema=2}. */
export function encodeSchemaOrBool(value: unknown, writer: BinaryWriter, encodeSchema: Encode): void {
  const isSchema = typeof value === 'object' && value !== null;
  writer.uint32(8).bool(isSchema || value === true);
  if (isSchema) encodeNested(18, value, writer, encodeSchema);
}

export function decodeSchemaOrBool(reader: BinaryReader, length: number, decodeSchema: Decode): unknown {
  const end = endOf(reader, length);
  let allows = false;
  let schema: unknown;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 8) allows = reader.bool();
    else if (tag === 18) schema = decodeSchema(reader, reader.uint32());
    else skipField(reader, tag, messages.schemaOrBool);
  }
  checkEnd(reader, end);
  return schema ?? allows;
}

/** JSONSchemaPropsOrArray {schema=1, jSONSchemas=2}. */
export function encodeSchemaOrArray(value: unknown, writer: BinaryWriter, encodeSchema: Encode): void {
  if (Array.isArray(value)) for (const schema of value) encodeNested(18, schema, writer, encodeSchema);
  else if (value != null) encodeNested(10, value, writer, encodeSchema);
}

export function decodeSchemaOrArray(reader: BinaryReader, length: number, decodeSchema: Decode): unknown {
  const end = endOf(reader, length);
  let schema: unknown;
  const schemas: unknown[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) schema = decodeSchema(reader, reader.uint32());
    else if (tag === 18) schemas.push(decodeSchema(reader, reader.uint32()));
    else skipField(reader, tag, messages.schemaOrArray);
  }
  checkEnd(reader, end);
  if (schemas.length > 0) return schemas;
  return schema ?? null;
}

/** JSONSchemaPropsOrStringArray {schema=1, property=2}. */
export function encodeSchemaOrStringArray(value: unknown, writer: BinaryWriter, encodeSchema: Encode): void {
  if (Array.isArray(value)) for (const property of value) writer.uint32(18).string(property);
  else if (value != null) encodeNested(10, value, writer, encodeSchema);
}

export function decodeSchemaOrStringArray(reader: BinaryReader, length: number, decodeSchema: Decode): unknown {
  const end = endOf(reader, length);
  let schema: unknown;
  const properties: string[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) schema = decodeSchema(reader, reader.uint32());
    else if (tag === 18) properties.push(reader.string());
    else skipField(reader, tag, messages.schemaOrStringArray);
  }
  checkEnd(reader, end);
  if (properties.length > 0) return properties;
  return schema ?? null;
}
