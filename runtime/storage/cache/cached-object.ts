import { decodeJson } from '../../codec/json.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import { StorageError } from '../errors.ts';
import type { Keyed } from '../mvcc/ordered-tree.ts';
import type { StoredValue } from '../mvcc/stored-value.ts';
import type { StoredObject } from '../object-store/contract.ts';
import { parseSuffix } from '../object-store/keys.ts';
import { metadataEnd, metadataUid, servedLength, typeLength, writeServed } from '../object-store/stored-json.ts';
import type { DecodedObjects } from './decoded-objects.ts';
import type { CachedEncoding, EncodingCache, EncodingOwner } from './encoding-cache.ts';

/** Data shared by the objects of a collection. */
export interface ObjectContext {
  readonly decoded: DecodedObjects;
  readonly encodings: EncodingCache;
  readonly namespaced: boolean;
  /** The length of the common prefix of the collection's keys. */
  readonly prefixLength: number;
  /** The last two objects whose fields were read: many watchers read the fields of an object before and after one change. */
  lastFields: LastFields | undefined;
  /** Decodes the stored bytes of an object. */
  attributesOf(value: Uint8Array): ObjectAttributes;
}

interface LastFields {
  readonly object: CachedObject;
  readonly fields: Readonly<Record<string, string>>;
  before: LastFields | undefined;
}

/** Decoded attributes of an object, which the cache keeps besides its bytes. (storage.AttrFunc) */
export interface ObjectAttributes {
  readonly labels: Readonly<Record<string, string>>;
  /** Fields without metadata.name and metadata.namespace. Objects with equal fields share one record. */
  readonly selectable: Readonly<Record<string, string>>;
  /** See StoredObject. */
  readonly changesWhenRead: boolean | undefined;
}

/**
 * An object in the watch cache. The cache holds one for every object and every state in the history, so data that
 * follows from the key or the bytes is computed on demand.
 */
export class CachedObject implements StoredObject, Keyed, EncodingOwner {
  readonly orderKey: string;
  /** The stored bytes, without resourceVersion. The memory engine shares them. */
  readonly stored: StoredValue;
  #labels: Readonly<Record<string, string>> | undefined;
  #selectable: Readonly<Record<string, string>> | undefined;
  readonly changesWhenRead: boolean | undefined;
  /** The position for the resourceVersion; -1 if the bytes are not an object. */
  readonly offset: number;
  readonly #context: ObjectContext;
  /** Only EncodingCache reads and writes this. */
  encodings: CachedEncoding | undefined;

  /** @param attributes if absent, the bytes are decoded on demand: few objects need this at a start */
  constructor(stored: StoredValue, attributes: ObjectAttributes | undefined, offset: number, context: ObjectContext) {
    this.orderKey = stored.orderKey;
    this.stored = stored;
    this.#labels = attributes?.labels;
    this.#selectable = attributes?.selectable;
    this.changesWhenRead = attributes?.changesWhenRead;
    this.offset = offset;
    this.#context = context;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#labels ?? this.#decodeAttributes().labels;
  }

  get selectable(): Readonly<Record<string, string>> {
    return this.#selectable ?? this.#decodeAttributes().selectable;
  }

  get key(): string {
    return this.stored.key;
  }

  get namespace(): string {
    return this.#names.namespace;
  }

  get name(): string {
    return this.#names.name;
  }

  get revision(): number {
    return this.stored.modRevision;
  }

  get createRevision(): number {
    return this.stored.createRevision;
  }

  get uid(): string {
    if (this.offset < 0) return '';
    const plain = metadataUid(this.stored.value, this.offset);
    if (plain !== undefined) return plain;
    const { uid } = this.metadata();
    return typeof uid === 'string' ? uid : '';
  }

  get fields(): Readonly<Record<string, string>> {
    const { lastFields } = this.#context;
    if (lastFields?.object === this) return lastFields.fields;
    if (lastFields?.before?.object === this) return lastFields.before.fields;
    const { name, namespace } = this.#names;
    const fields: Readonly<Record<string, string>> =
      this.offset < 0 ? {} : { 'metadata.name': name, 'metadata.namespace': namespace, ...this.selectable };
    if (lastFields !== undefined) lastFields.before = undefined;
    this.#context.lastFields = { object: this, fields, before: lastFields };
    return fields;
  }

  get jsonLength(): number {
    const { length } = this.stored;
    return this.offset < 0 ? length : servedLength(this);
  }

  get json(): Uint8Array {
    if (this.offset < 0) return this.stored.value;
    const bytes = Buffer.allocUnsafe(this.jsonLength);
    writeServed(this, bytes, 0);
    return bytes;
  }

  writeJson(target: Uint8Array, start: number): number {
    if (this.offset >= 0) return writeServed(this, target, start);
    target.set(this.stored.value, start);
    return start + this.stored.length;
  }

  get itemLength(): number {
    return this.offset < 0 ? this.stored.length : this.jsonLength - typeLength(this.offset);
  }

  writeItem(target: Uint8Array, start: number): number {
    if (this.offset < 0) return this.writeJson(target, start);
    return writeServed(this, target, start, typeLength(this.offset));
  }

  decode(): KubeObject {
    let object: unknown;
    try {
      object = decodeJson(this.json);
    } catch (error) {
      throw corruptError(this.key, messageOf(error));
    }
    if (!isKubeObject(object)) throw corruptError(this.key, 'not a JSON object with metadata');
    return object;
  }

  shared(): KubeObject {
    return this.#context.decoded.of(this);
  }

  sharedMetadata(): ObjectMeta {
    return this.#context.decoded.isHeld ? this.shared().metadata : this.metadata();
  }

  metadata(): ObjectMeta {
    const { value } = this.stored;
    const end = this.offset < 0 ? undefined : metadataEnd(value, this.offset);
    if (end === undefined) return this.decode().metadata;
    try {
      const metadata = decodeJson(value.subarray(this.offset - 1, end)) as ObjectMeta;
      metadata.resourceVersion = String(this.revision);
      return metadata;
    } catch (error) {
      throw corruptError(this.key, messageOf(error));
    }
  }

  mentions(text: Uint8Array): boolean {
    return Buffer.prototype.includes.call(this.stored.value, text);
  }

  cacheEncode(key: string, encode: () => Uint8Array): Uint8Array {
    return this.#context.encodings.get(this, key, encode);
  }

  /** Returns the same content with another revision, for example the last state of a deleted object. */
  at(revision: number): CachedObject {
    const attributes = this.#labels === undefined ? undefined : this;
    return new CachedObject(this.stored.at(revision), attributes, this.offset, this.#context);
  }

  /** Decodes the labels and selectable fields now instead of on demand. */
  decodeAttributes(): void {
    if (this.#labels === undefined) this.#decodeAttributes();
  }

  #decodeAttributes(): ObjectAttributes {
    const attributes = this.#context.attributesOf(this.stored.value);
    this.#labels = attributes.labels;
    this.#selectable = attributes.selectable;
    return attributes;
  }

  get #names(): { namespace: string; name: string } {
    const { namespaced, prefixLength } = this.#context;
    const suffix = this.key.slice(prefixLength);
    return parseSuffix(namespaced, suffix) ?? { namespace: '', name: suffix };
  }
}

export function isKubeObject(value: unknown): value is KubeObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { metadata } = value as { metadata?: unknown };
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
}

function corruptError(key: string, why: string): StorageError {
  return new StorageError('corrupt', `the stored object ${key} cannot be decoded: ${why}`);
}
