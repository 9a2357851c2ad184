import { decodeJson } from '../../codec/json.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { KeyValue } from '../kv/engine.ts';
import type { Slabs } from '../mvcc/slabs.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import type { StoredResource } from '../object-store/contract.ts';
import { parseSuffix } from '../object-store/keys.ts';
import { encodeStored, metadataOffset } from '../object-store/stored-json.ts';
import { CachedObject, isKubeObject, type ObjectContext, type ObjectIndex } from './cached-object.ts';
import type { Interner } from './interner.ts';

const nothing: Readonly<Record<string, string>> = Object.freeze({});
const noIndex: ObjectIndex = { labels: nothing, selectable: nothing };

/** What the readers of a store share. */
export interface ReaderParts {
  readonly encode: (value: unknown) => Uint8Array;
  readonly interner: Interner;
  readonly slabs: Slabs;
}

/** Makes the cache's objects of one resource: from what was written just now, or from bytes alone. */
export class ObjectReader {
  readonly #resource: StoredResource;
  readonly #context: ObjectContext;
  readonly #encode: (value: unknown) => Uint8Array;
  readonly #interner: Interner;
  readonly #slabs: Slabs;

  constructor(resource: StoredResource, context: ObjectContext, { encode, interner, slabs }: ReaderParts) {
    this.#resource = resource;
    this.#context = context;
    this.#encode = encode;
    this.#interner = interner;
    this.#slabs = slabs;
  }

  /** Memory that values can be read into, so that they are where they stay. */
  get allocate(): (size: number) => Uint8Array {
    return this.#slabs.take;
  }

  /** What was read is not kept. */
  release(stored: StoredValue): void {
    this.#slabs.release(stored);
  }

  /** What is kept of an object beside its bytes. */
  index(object: KubeObject): ObjectIndex {
    const { labels } = object.metadata;
    return this.intern({
      labels: typeof labels === 'object' && labels !== null ? labels : nothing,
      selectable: this.#resource.selectableFields(object),
    });
  }

  /** The same values, shared with other objects that have them. */
  intern({ labels, selectable }: ObjectIndex): ObjectIndex {
    return { labels: this.#interner.internRecord(labels), selectable: this.#interner.internRecord(selectable) };
  }

  /**
   * @param index what was computed when the object was written; without it the bytes are decoded, and an object
   *     that cannot be has offset -1
   */
  read(state: KeyValue, index?: ObjectIndex): CachedObject {
    const stored = StoredValue.of(state);
    const isPlaced = this.#hasPlace(stored.key);
    const offset = metadataOffset(stored.value);
    if (isPlaced && index !== undefined && offset !== undefined) return this.#keep(stored, index, offset);
    const object = isPlaced ? this.#decode(stored.value) : undefined;
    const made = object === undefined ? undefined : this.#tryIndex(object);
    if (made === undefined) return this.#keep(stored, noIndex, -1);
    return offset === undefined ? this.#readForeign(stored, made) : this.#keep(stored, made, offset);
  }

  #keep(stored: StoredValue, index: ObjectIndex, offset: number): CachedObject {
    this.#slabs.pack(stored);
    return new CachedObject(stored, index, offset, this.#context);
  }

  /** Not laid out as we write it: somebody else's bytes. */
  #readForeign(stored: StoredValue, index: ObjectIndex): CachedObject {
    const value = this.#encodeAnew(stored.value);
    const offset = metadataOffset(value);
    if (offset === undefined) return this.#keep(stored, noIndex, -1);
    this.#slabs.discard(stored.value);
    const anew = new StoredValue(stored.key, value, stored.createRevision, stored.modRevision);
    return this.#keep(anew, index, offset);
  }

  #hasPlace(key: string): boolean {
    return parseSuffix(this.#resource.namespaced, key.slice(this.#context.prefixLength)) !== undefined;
  }

  /** For the index alone, which holds strings: that large integers lose digits here does no harm. */
  #decode(bytes: Uint8Array): KubeObject | undefined {
    try {
      const object = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
      return isKubeObject(object) ? object : undefined;
    } catch {
      return undefined;
    }
  }

  /** The bytes in our layout; themselves where that cannot be. */
  #encodeAnew(bytes: Uint8Array): Uint8Array {
    try {
      return encodeStored(decodeJson(bytes) as KubeObject, this.#encode);
    } catch {
      return bytes;
    }
  }

  /** Selectable fields are read by code that expects the kind's types; stored bytes may hold others. */
  #tryIndex(object: KubeObject): ObjectIndex | undefined {
    try {
      return this.index(object);
    } catch {
      return undefined;
    }
  }
}
