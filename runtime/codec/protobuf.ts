import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { DecodeError } from '../machinery/errors/decode-error.ts';
import { type Message, optionalField, singleField, structMessage } from '../machinery/protobuf/message.ts';
import { decodeErrorOf, skipField } from '../machinery/protobuf/wire.ts';
import type { ListMeta } from './list-meta.ts';

/** The prefix of every Kubernetes protobuf body: "k8s" and a zero byte. */
const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** runtime.Unknown, a message with the name of its type. (apimachinery pkg/runtime/generated.proto) */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message, a view of the decoded bytes. */
  readonly raw: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** Returns the body of a response: the prefix, then runtime.Unknown with the encoded message. */
export function encodeEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  return Buffer.concat([envelopeHead(apiVersion, kind, raw.length), raw, envelopeTail]);
}

/** Returns the bytes before a message of this length in its envelope. envelopeTail follows the message. */
export function envelopeHead(apiVersion: string, kind: string, length: number): Uint8Array {
  const writer = new BinaryWriter();
  writer.uint32(0x0a).fork();
  writer.uint32(0x0a).string(apiVersion);
  writer.uint32(0x12).string(kind);
  writer.join();
  writer.uint32(0x12).uint32(length);
  return Buffer.concat([magic, writer.finish()]);
}

/** Empty contentEncoding and contentType, because gogo always writes strings that are not pointers. */
export const envelopeTail: Uint8Array = Uint8Array.of(0x1a, 0x00, 0x22, 0x00);

/** Reports whether the bytes begin with the prefix. */
export function isEnvelope(bytes: Uint8Array): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}

const typeMeta = structMessage('TypeMeta', () => [singleField('apiVersion', 10, 'string'), singleField('kind', 18, 'string')]);
const unknownMessage = structMessage('Unknown', () => [
  optionalField('typeMeta', 10, typeMeta),
  singleField('raw', 18, 'bytes'),
  singleField('contentEncoding', 26, 'string'),
  singleField('contentType', 34, 'string'),
]);

/** Decodes an envelope. Throws DecodeError. (apimachinery pkg/runtime/serializer/protobuf/protobuf.go) */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!isEnvelope(bytes)) {
    throw new DecodeError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (bytes.length === magic.length) throw new DecodeError('empty body');
  const envelope = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array() as Uint8Array,
    contentEncoding: '',
    contentType: '',
  };
  try {
    const reader = new BinaryReader(bytes.subarray(magic.length));
    readFields(reader, reader.len, unknownMessage, (field) => {
      switch (field) {
        case 1:
          readFields(reader, reader.uint32() + reader.pos, typeMeta, (inner) => {
            if (inner === 1) envelope.apiVersion = reader.string();
            else if (inner === 2) envelope.kind = reader.string();
            else return false;
            return true;
          });
          return true;
        case 2:
          envelope.raw = reader.bytes();
          return true;
        case 3:
          envelope.contentEncoding = reader.string();
          return true;
        case 4:
          envelope.contentType = reader.string();
          return true;
        default:
          return false;
      }
    });
  } catch (error) {
    throw decodeErrorOf(error);
  }
  return envelope;
}

/** Calls `read` for each length-delimited field up to `end`. Skips other fields, and fields that it does not accept. */
function readFields(reader: BinaryReader, end: number, message: Message, read: (field: number) => boolean): void {
  if (end > reader.len) throw new RangeError('premature EOF');
  while (reader.pos < end) {
    const tag = reader.uint32();
    if ((tag & 7) !== WireType.LengthDelimited || !read(tag >>> 3)) skipField(reader, tag, message);
  }
  if (reader.pos > end) throw new RangeError('premature EOF');
}

/**
 * Returns the message of a list from the encoded messages of its items. Every list type of Kubernetes has ListMeta in
 * field 1 and the items in field 2.
 */
export function encodeList(meta: ListMeta, items: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [encodeListMeta(meta)];
  for (const item of items) parts.push(itemHead(item.length), item);
  return Buffer.concat(parts);
}

/** Returns field 1 of a list. */
export function encodeListMeta(meta: ListMeta): Uint8Array {
  const writer = new BinaryWriter();
  writer.uint32(0x0a).fork();
  writer.uint32(0x0a).string('');
  writer.uint32(0x12).string(meta.resourceVersion ?? '');
  writer.uint32(0x1a).string(meta.continue ?? '');
  if (meta.remainingItemCount !== undefined) writer.uint32(0x20).int64(meta.remainingItemCount);
  writer.join();
  return writer.finish();
}

/** Returns the bytes before an item of this length in field 2 of a list. */
export function itemHead(length: number): Uint8Array {
  return lengthDelimitedHead(0x12, length);
}

/** Returns a one-byte tag and a varint length. */
export function lengthDelimitedHead(tag: number, length: number): Uint8Array {
  const bytes = [tag];
  let rest = length;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
