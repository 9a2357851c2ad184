import { decodeJson } from '../../codec/json.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import { StorageError } from '../errors.ts';
import type { Keyed } from '../mvcc/ordered-tree.ts';
import type { StoredValue } from '../mvcc/stored-value.ts';
import type { StoredObject } from '../object-store/contract.ts';
import { parseSuffix } from '../object-store/keys.ts';
import { metadataEnd, metadataUid, servedLength, typeLength, writeServed } from '../object-store/stored-json.ts';
import type { CachedEncoding, EncodingCache, EncodingOwner } from './encoding-cache.ts';

/** What all objects of a collection share. */
export interface ObjectContext {
  readonly encodings: EncodingCache;
  readonly namespaced: boolean;
  /** How much of a key is the same for all of them. */
  readonly prefixLength: number;
}

/** What is kept of an object beside its bytes. */
export interface ObjectIndex {
  readonly labels: Readonly<Record<string, string>>;
  /** The resource's own selectable fields, shared between objects that agree in them. */
  readonly selectable: Readonly<Record<string, string>>;
}

let lastFields: { object: unknown; fields: Readonly<Record<string, string>> } = { object: undefined, fields: {} };

/**
 * One state of one object. There are as many as objects, and those of the history: what can be had from the key or the
 * bytes when somebody asks is not kept.
 */
export class CachedObject implements StoredObject, Keyed, EncodingOwner {
  readonly orderKey: string;
  /** As stored, without resourceVersion; shared with the engine where it keeps values in memory. */
  readonly stored: StoredValue;
  readonly labels: Readonly<Record<string, string>>;
  readonly selectable: Readonly<Record<string, string>>;
  /** Where the resourceVersion goes; -1 for bytes that are not an object. */
  readonly offset: number;
  readonly #context: ObjectContext;
  /** The cache's of encodings to read and change. */
  encodings: CachedEncoding | undefined;

  constructor(stored: StoredValue, { labels, selectable }: ObjectIndex, offset: number, context: ObjectContext) {
    this.orderKey = stored.orderKey;
    this.stored = stored;
    this.labels = labels;
    this.selectable = selectable;
    this.offset = offset;
    this.#context = context;
  }

  get key(): string {
    return this.stored.key;
  }

  get namespace(): string {
    return this.#place.namespace;
  }

  get name(): string {
    return this.#place.name;
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

  /** Put together when asked for, and kept for the object asked last: many watchers ask of one event. */
  get fields(): Readonly<Record<string, string>> {
    if (lastFields.object !== this) {
      const { name, namespace } = this.#place;
      const own = this.offset < 0 ? {} : { 'metadata.name': name, 'metadata.namespace': namespace, ...this.selectable };
      lastFields = { object: this, fields: own };
    }
    return lastFields.fields;
  }

  get jsonLength(): number {
    const { length } = this.stored;
    return this.offset < 0 ? length : servedLength(this.stored, this.offset);
  }

  get json(): Uint8Array {
    if (this.offset < 0) return this.stored.value;
    const bytes = Buffer.allocUnsafe(this.jsonLength);
    writeServed(this.stored, this.offset, bytes, 0);
    return bytes;
  }

  writeJson(target: Uint8Array, start: number): number {
    if (this.offset >= 0) return writeServed(this.stored, this.offset, target, start);
    target.set(this.stored.value, start);
    return start + this.stored.length;
  }

  get itemLength(): number {
    return this.offset < 0 ? this.stored.length : this.jsonLength - typeLength(this.offset);
  }

  writeItem(target: Uint8Array, start: number): number {
    if (this.offset < 0) return this.writeJson(target, start);
    return writeServed(this.stored, this.offset, target, start, typeLength(this.offset));
  }

  decode(): KubeObject {
    let object: unknown;
    try {
      object = decodeJson(this.json);
    } catch (error) {
      throw corruptError(this.key, (error as Error).message);
    }
    if (!isKubeObject(object)) throw corruptError(this.key, 'not a JSON object with metadata');
    return object;
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
      throw corruptError(this.key, (error as Error).message);
    }
  }

  mentions(text: Uint8Array): boolean {
    return Buffer.prototype.includes.call(this.stored.value, text);
  }

  cacheEncode(key: string, encode: () => Uint8Array): Uint8Array {
    return this.#context.encodings.get(this, key, encode);
  }

  /** The same content at another revision: the last state of a deleted object. */
  at(revision: number): CachedObject {
    return new CachedObject(this.stored.at(revision), this, this.offset, this.#context);
  }

  get #place(): { namespace: string; name: string } {
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
