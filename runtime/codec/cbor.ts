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

/** A whole list from encoded items, which are copied and not decoded. */
export function encodeCborList(
  apiVersion: string,
  listKind: string,
  meta: ListMeta,
  items: readonly Uint8Array[],
): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  // Sorted keys: shorter names first.
  writer.head(5, 4);
  writer.string('kind');
  writer.string(listKind);
  writer.string('items');
  writer.head(4, items.length);
  for (const item of items) writer.raw(withoutTag(item));
  writer.string('metadata');
  writer.value(listMetaObject(meta));
  writer.string('apiVersion');
  writer.string(apiVersion);
  return writer.finish();
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
