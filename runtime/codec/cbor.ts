import type { Json } from '../machinery/object.ts';
import { CborReader } from './cbor/decode.ts';
import { CborWriter } from './cbor/encode.ts';
import { type ListMeta, listMetaObject } from './list-meta.ts';

/**
 * Kubernetes' profile of CBOR. (apimachinery pkg/runtime/serializer/cbor)
 *
 * The codec is our own: cbor-x, which the tests hold it against, cannot be set to write sorted keys, byte strings,
 * shortest integers beyond 32 bits and shortest floats, nor to read byte strings as keys and refuse keys that
 * repeat, NaN, and bytes that are no UTF-8; it renames `__proto__` and builds cycles from tags.
 */

/** The tag that says "this is CBOR", which begins every document. */
const selfDescribed = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** Whether the bytes begin with the tag that says so. */
export function isCbor(bytes: Uint8Array): boolean {
  return bytes.length >= selfDescribed.length && selfDescribed.every((byte, i) => bytes[i] === byte);
}

/**
 * Writes a JSON-shaped value: tagged as CBOR, keys sorted, strings as byte strings, numbers in their shortest form.
 * One value has one form. Throws TypeError for NaN, infinities and integers beyond int64.
 */
export function encodeCbor(value: unknown): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.value(value);
  return writer.finish();
}

/**
 * Reads one CBOR document, strictly: no key twice, at most 64 levels and 1024 elements a container. Throws
 * DecodeError.
 */
export function decodeCbor(bytes: Uint8Array): Json {
  return new CborReader(bytes).readAll();
}

/** The kind of a list as its envelope names it. */
export interface ListKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A list in pieces that follow each other, from encoded items, which are copied and not decoded. */
export function* cborListPieces(
  { apiVersion, kind }: ListKind,
  meta: ListMeta,
  count: number,
  item: (index: number) => Uint8Array,
): Iterable<Uint8Array> {
  const head = new CborWriter();
  head.raw(selfDescribed);
  // Sorted keys: shorter names first.
  head.head(5, 4);
  head.string('kind');
  head.string(kind);
  head.string('items');
  head.head(4, count);
  yield head.finish();
  for (let index = 0; index < count; index++) yield withoutTag(item(index));
  const tail = new CborWriter();
  tail.string('metadata');
  tail.value(listMetaObject(meta));
  tail.string('apiVersion');
  tail.string(apiVersion);
  yield tail.finish();
}

/** One event of a CBOR watch, an item of an application/cbor-seq stream. `object` is what encodeCbor gives. */
export function cborWatchFrame(type: string, object: Uint8Array): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.head(5, 2);
  writer.string('type');
  writer.string(type);
  writer.string('object');
  writer.raw(object);
  return writer.finish();
}

function withoutTag(bytes: Uint8Array): Uint8Array {
  return isCbor(bytes) ? bytes.subarray(selfDescribed.length) : bytes;
}
