import { DecodeError } from '../machinery/errors/decode-error.ts';
import { isJsonObject } from '../machinery/json/values.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import type { majorNames } from './cbor/cursor.ts';
import { CborReader } from './cbor/decode.ts';
import { CborWriter } from './cbor/encode.ts';
import { type ListMeta, listMetaObject } from './list-meta.ts';

/**
 * Kubernetes' profile of CBOR. (apimachinery pkg/runtime/serializer/cbor)
 *
 * Tests use cbor-x as the reference. As an encoder it cannot sort keys, write byte strings, or use the shortest form of
 * integers beyond 32 bits and of floats. As a decoder it cannot read byte strings as keys or reject repeated keys, NaN
 * and invalid UTF-8; it also renames `__proto__` and builds cycles from tags.
 */

/** The self-described CBOR tag, with which every document begins. */
const selfDescribed = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** Reports whether the bytes begin with the self-described CBOR tag. */
export function isCbor(bytes: Uint8Array): boolean {
  return bytes.length >= selfDescribed.length && selfDescribed.every((byte, i) => bytes[i] === byte);
}

/**
 * Encodes a JSON-shaped value with sorted keys, strings as byte strings and numbers in their shortest form, so each
 * value has one encoding. Throws TypeError for NaN, infinities and integers beyond int64.
 */
export function encodeCbor(value: unknown): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.value(value);
  return writer.finish();
}

/**
 * Decodes one CBOR document strictly: no repeated keys, at most 64 levels and 1024 elements in a container. Throws
 * DecodeError.
 */
export function decodeCbor(bytes: Uint8Array): Json {
  return new CborReader(bytes).readAll();
}

/**
 * Returns the apiVersion and kind of a document that may otherwise be invalid: with repeated keys in inner maps, or
 * integers that are too large. (serializer/cbor/cbor.go defaultMetaFactory)
 *
 * @throws DecodeError if the bytes are not well-formed, or the members are not strings
 */
export function interpretCbor(bytes: Uint8Array): { readonly apiVersion: string; readonly kind: string } {
  const value = new CborReader(bytes, true).readAll();
  if (value !== null && !isJsonObject(value)) {
    const why = Array.isArray(value) ? ' (cannot decode CBOR array to struct without toarray option)' : '';
    throw new DecodeError(`cbor: cannot unmarshal ${cborTypeOf(value)} into Go value of type v1.TypeMeta${why}`);
  }
  return { apiVersion: textMember(value ?? {}, 'apiVersion'), kind: textMember(value ?? {}, 'kind') };
}

function textMember(object: JsonObject, name: string): string {
  const value = object[name] ?? '';
  if (typeof value === 'string') return value;
  throw new DecodeError(`cbor: cannot unmarshal ${cborTypeOf(value)} into Go struct field v1.TypeMeta.${name} of type string`);
}

/** Returns the name of the major type that encodes a value. */
export function cborTypeOf(value: Json): (typeof majorNames)[number] {
  if (typeof value === 'string') return 'byte string';
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'map';
  if (typeof value === 'bigint' || Number.isInteger(value)) {
    return Number(value) < 0 ? 'negative integer' : 'positive integer';
  }
  return 'primitives';
}

export { diagnoseCbor } from './cbor/diagnose.ts';

/** The kind of a list in its envelope. */
export interface ListKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** See listMetaObject. */
  readonly isUnstructured?: boolean | undefined;
}

/** Yields a list in consecutive pieces. The items are already encoded; they are copied, not decoded. */
export function* cborListPieces(
  { apiVersion, kind, isUnstructured }: ListKind,
  meta: ListMeta,
  count: number,
  item: (index: number) => Uint8Array,
): Iterable<Uint8Array> {
  const head = new CborWriter();
  head.raw(selfDescribed);
  // keys are sorted, shorter ones first
  head.head(5, 4);
  head.string('kind');
  head.string(kind);
  head.string('items');
  head.head(4, count);
  yield head.finish();
  for (let index = 0; index < count; index++) yield withoutTag(item(index));
  const tail = new CborWriter();
  tail.string('metadata');
  tail.value(listMetaObject(meta, isUnstructured));
  tail.string('apiVersion');
  tail.string(apiVersion);
  yield tail.finish();
}

/** Returns one event of a CBOR watch, an item of an application/cbor-seq stream. `object` is encoded by encodeCbor. */
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
