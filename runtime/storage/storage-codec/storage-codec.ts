import { BinaryReader } from '@bufbuild/protobuf/wire';
import { decodeCbor, encodeCbor, isCbor } from '../../codec/cbor.ts';
import { decodeJson, encodeJson } from '../../codec/json.ts';
import { decodeEnvelope, encodeEnvelope, isEnvelope } from '../../codec/protobuf.ts';
import { decodeYaml, encodeYaml } from '../../codec/yaml.ts';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { fromUnstructured, type Json, type KubeObject } from '../../machinery/object.ts';
import { writeMessage } from '../../machinery/protobuf/message-writer.ts';
import { decodeErrorOf } from '../../machinery/protobuf/wire.ts';
import { encodeStored } from '../object-store/stored-json.ts';
import type { FindKind, StoredKind } from './stored-kind.ts';
import { type TypeMeta, typeMetaOf } from './type-meta.ts';

export type StorageMediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf';

export interface StorageCodecOptions {
  /** The media type of built-in kinds. Kinds without protobuf are JSON instead of protobuf. */
  readonly mediaType: StorageMediaType;
  /** Whether custom resources are CBOR instead of JSON. (the feature gate CBORServingAndStorage) */
  readonly customAsCbor: boolean;
  readonly kinds: FindKind;
  /** Encodes and decodes values that would block the event loop. Default: this codec does. */
  readonly large?: LargeValueCodec | undefined;
}

/** A codec on another thread. */
export interface LargeValueCodec {
  encode(json: Uint8Array): Promise<Uint8Array>;
  /** Rejects with DecodeError. */
  decode(stored: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Bytes of a value below which it takes the event loop at most some tens of milliseconds. */
const largeSize = 64 * 1024;

/**
 * Converts between the object store's JSON and kube-apiserver's values in etcd. Reads all media types, and all versions
 * of built-in kinds. (apiserver pkg/server/storage NewStorageCodec; apimachinery serializer/recognizer)
 */
export class StorageCodec {
  readonly #options: StorageCodecOptions;

  constructor(options: StorageCodecOptions) {
    this.#options = options;
  }

  /**
   * Returns the stored form of an object; the same array if it is stored unchanged.
   *
   * @param json from encodeStored
   */
  encode(json: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const meta = typeMetaOf(json);
    if (meta === undefined) return json;
    return then(this.#options.kinds(meta.apiVersion, meta.kind), (kind) => this.#encode(json, kind));
  }

  /**
   * Returns the object at its storage version, in the form of encodeStored; the same array if it is stored unchanged.
   * Rejects with, or throws, DecodeError.
   */
  decode(stored: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const json = typeMetaOf(stored);
    if (json === undefined) return this.#largeCodec(stored)?.decode(stored) ?? this.#decodeOther(stored);
    return then(this.#options.kinds(json.apiVersion, json.kind), (kind) => {
      const asIs = kind === undefined ? withoutEnd(stored) : undefined;
      if (asIs !== undefined) return asIs;
      const large = this.#largeCodec(stored);
      if (large !== undefined) return large.decode(stored);
      return kind === undefined ? storedJson(decodeJson(stored)) : upgrade(kind, decodeJson(stored));
    });
  }

  close(): Promise<void> | undefined {
    return this.#options.large?.close();
  }

  #largeCodec(value: Uint8Array): LargeValueCodec | undefined {
    return value.length < largeSize ? undefined : this.#options.large;
  }

  #decodeOther(stored: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (isEnvelope(stored)) return this.#decodeProtobuf(stored);
    const value = isCbor(stored) ? decodeCbor(stored) : decodeYaml(stored);
    const meta = metaOfValue(value);
    return then(this.#options.kinds(meta.apiVersion, meta.kind), (kind) => (kind === undefined ? storedJson(value) : upgrade(kind, value)));
  }

  /** Reports whether a decodable object would now be stored differently. The order of members does not matter. */
  async isStale(stored: Uint8Array): Promise<boolean> {
    const encoded = await this.encode(await this.decode(stored));
    if (Buffer.compare(encoded, stored) === 0) return false;
    if (typeMetaOf(encoded) === undefined || typeMetaOf(stored) === undefined) return true;
    return !equalJson(decodeJson(encoded), decodeJson(stored));
  }

  #encode(json: Uint8Array, kind: StoredKind | undefined): Uint8Array | Promise<Uint8Array> {
    const mediaType = this.#mediaTypeOf(kind);
    const isAsIs = mediaType === 'application/json' && kind?.toStored === undefined;
    return isAsIs ? json : (this.#largeCodec(json)?.encode(json) ?? encodeAs(mediaType, json, kind));
  }

  #mediaTypeOf(kind: StoredKind | undefined): EncodedMediaType {
    const { mediaType, customAsCbor } = this.#options;
    if (kind === undefined) return customAsCbor ? 'application/cbor' : 'application/json';
    return kind.protobuf === undefined ? 'application/json' : mediaType;
  }

  #decodeProtobuf(stored: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const { apiVersion, kind: name, raw } = decodeEnvelope(stored);
    return then(this.#options.kinds(apiVersion, name), (kind) => {
      if (kind?.protobuf === undefined) {
        throw new DecodeError(`no kind "${name}" is registered for version "${apiVersion}" in scheme "storage"`);
      }
      return encodeStored(kind.fromStored({ kind: name, apiVersion, ...message(kind.protobuf, raw) }), encodeJson);
    });
  }
}

type EncodedMediaType = StorageMediaType | 'application/cbor';

function encodeAs(mediaType: EncodedMediaType, json: Uint8Array, kind: StoredKind | undefined): Uint8Array {
  const decoded = fromUnstructured(decodeJson(json));
  const object = kind?.toStored?.(decoded) ?? decoded;
  if (mediaType === 'application/cbor') return encodeCbor(object);
  if (mediaType === 'application/yaml') return encodeYaml(object);
  if (mediaType === 'application/json' || kind?.protobuf === undefined) return encodeJson(object);
  const { protobuf } = kind;
  const message = writeMessage((writer) => protobuf.encode(object, writer));
  return encodeEnvelope(object.apiVersion ?? '', object.kind ?? '', message);
}

function message(codec: NonNullable<StoredKind['protobuf']>, raw: Uint8Array): KubeObject {
  try {
    return codec.decode(new BinaryReader(raw), raw.length);
  } catch (error) {
    throw decodeErrorOf(error);
  }
}

const upgrade = (kind: StoredKind, value: Json): Uint8Array => encodeStored(kind.fromStored(kind.prune(value)), encodeJson);

function storedJson(value: Json): Uint8Array {
  const { apiVersion, kind } = metaOfValue(value);
  const metadata = isJsonObject(value) && isJsonObject(value.metadata ?? {}) ? value.metadata : undefined;
  if (metadata === undefined) throw new DecodeError(`the metadata of ${kind} of ${apiVersion} is missing`);
  return encodeStored(fromUnstructured(value), encodeJson);
}

function metaOfValue(value: Json): TypeMeta {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  if (typeof kind !== 'string' || kind === '') throw new DecodeError("Object 'Kind' is missing");
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new DecodeError("Object 'apiVersion' is missing");
  return { apiVersion, kind };
}

const newline = 0x0a;
const resourceVersion = Buffer.from('"resourceVersion":"');

/**
 * Returns an object's JSON without Go's newline at the end, if it can be served unchanged. Returns undefined if it may
 * have a resourceVersion.
 */
function withoutEnd(json: Uint8Array): Uint8Array | undefined {
  if (Buffer.from(json.buffer, json.byteOffset, json.byteLength).includes(resourceVersion)) return undefined;
  return json.at(-1) === newline ? json.subarray(0, -1) : json;
}

function then<T, R>(value: T | Promise<T>, use: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}
