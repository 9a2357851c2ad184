import { decodeJson } from '../../codec/json.ts';
import { fromUnstructured, type KubeObject } from '../../machinery/object.ts';
import type { KeyValue } from '../kv/engine.ts';
import type { SlabAllocator } from '../mvcc/slab-allocator.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import type { StoredResource } from '../object-store/contract.ts';
import { parseSuffix } from '../object-store/keys.ts';
import { encodeStored, metadataOffset } from '../object-store/stored-json.ts';
import { CachedObject, isKubeObject, type ObjectAttributes, type ObjectContext } from './cached-object.ts';
import type { Interner } from './interner.ts';
import { UnreadableObject } from './unreadable-object.ts';

const noStrings: Readonly<Record<string, string>> = Object.freeze({});
const noAttributes: ObjectAttributes = {
  labels: noStrings,
  selectable: noStrings,
  changesWhenRead: undefined,
};

const closeBrace = 0x7d;

/**
 * Bytes from which objects are decoded when they are loaded. A scan of labels yields every few hundred objects, and
 * decoding that many large ones at once would block.
 */
const eagerBytes = 8 * 1024;

/** Options that readers of all resources share. */
export interface ReaderOptions {
  readonly encode: (value: unknown) => Uint8Array;
  readonly interner: Interner;
  readonly slabs: SlabAllocator;
  /** The engine's `isVerified`. */
  readonly isVerified: boolean;
}

/** Creates the cached objects of one resource from stored values. */
export class ObjectReader {
  readonly #resource: StoredResource;
  readonly #context: ObjectContext;
  readonly #encode: (value: unknown) => Uint8Array;
  readonly #interner: Interner;
  readonly #slabs: SlabAllocator;
  readonly #isVerified: boolean;

  constructor(
    resource: StoredResource,
    context: Pick<ObjectContext, 'decoded' | 'encodings' | 'namespaced' | 'prefixLength'>,
    { encode, interner, slabs, isVerified }: ReaderOptions,
  ) {
    this.#resource = resource;
    this.#context = { ...context, lastFields: undefined, attributesOf: (value) => this.#decodeAttributes(value) };
    this.#encode = encode;
    this.#interner = interner;
    this.#slabs = slabs;
    this.#isVerified = isVerified;
  }

  /** Allocates the memory of cached values, so that the engine can read into it. */
  get allocate(): (size: number) => Uint8Array {
    return this.#slabs.allocate;
  }

  /** Frees a value that the cache does not retain. */
  release(stored: StoredValue): void {
    this.#slabs.release(stored);
  }

  /** Returns the attributes of an object that is about to be written. */
  attributesOf(object: KubeObject): ObjectAttributes {
    return this.#attributes(object, this.#resource.changesWhenRead?.(object) ?? false);
  }

  /** Returns equal attributes that objects share. */
  intern({ labels, selectable, changesWhenRead }: ObjectAttributes): ObjectAttributes {
    return {
      labels: this.#interner.internRecord(labels),
      selectable: this.#interner.internRecord(selectable),
      changesWhenRead,
    };
  }

  #attributes(object: KubeObject, changesWhenRead: boolean | undefined): ObjectAttributes {
    const { labels } = object.metadata;
    return this.intern({
      labels: typeof labels === 'object' && labels !== null ? labels : noStrings,
      selectable: this.#resource.selectableFields(object),
      changesWhenRead,
    });
  }

  /**
   * Creates a cached object. An object that cannot be decoded has offset -1.
   *
   * @param attributes of an object that was just written. If absent, the bytes are decoded, unless the engine
   *   verifies them
   */
  read(state: KeyValue, attributes?: ObjectAttributes): CachedObject {
    const stored = StoredValue.of(state);
    if (state.transformError !== undefined || state.decodeError !== undefined) return this.#unreadable(stored, state);
    const isObjectKey = this.#isObjectKey(stored.key);
    const offset = metadataOffset(stored.value);
    const isKnown = attributes !== undefined || this.#isVouchedFor(stored.value);
    if (isObjectKey && isKnown && offset !== undefined) return this.#pack(stored, attributes, offset);
    const object = isObjectKey ? this.#decode(stored.value) : undefined;
    const decoded = object === undefined ? undefined : this.#tryAttributes(object);
    if (decoded === undefined) return this.#pack(stored, noAttributes, -1);
    return offset === undefined ? this.#reencode(stored, decoded) : this.#pack(stored, decoded, offset);
  }

  /** Reports whether decoding can wait. Truncated bytes are decoded now, and found corrupt. */
  #isVouchedFor(value: Uint8Array): boolean {
    return this.#isVerified && value.length < eagerBytes && value[value.length - 1] === closeBrace;
  }

  #pack(stored: StoredValue, attributes: ObjectAttributes | undefined, offset: number): CachedObject {
    this.#slabs.pack(stored);
    return new CachedObject(stored, attributes, offset, this.#context);
  }

  #unreadable(stored: StoredValue, errors: KeyValue): CachedObject {
    this.#slabs.pack(stored);
    return new UnreadableObject(stored, errors, this.#context);
  }

  /** Creates a cached object from bytes that encodeStored did not write. */
  #reencode(stored: StoredValue, attributes: ObjectAttributes): CachedObject {
    const value = this.#encodeAgain(stored.value);
    const offset = metadataOffset(value);
    if (offset === undefined) return this.#pack(stored, noAttributes, -1);
    this.#slabs.discard(stored.value);
    const reencoded = new StoredValue(stored.key, value, stored.createRevision, stored.modRevision);
    return this.#pack(reencoded, attributes, offset);
  }

  #isObjectKey(key: string): boolean {
    return parseSuffix(this.#resource.namespaced, key.slice(this.#context.prefixLength)) !== undefined;
  }

  /** Decodes bytes for the attributes. These are strings, so lost digits of large integers do not matter. */
  #decode(bytes: Uint8Array): KubeObject | undefined {
    try {
      const object = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
      return isKubeObject(object) ? object : undefined;
    } catch {
      return undefined;
    }
  }

  #decodeAttributes(bytes: Uint8Array): ObjectAttributes {
    const object = this.#decode(bytes);
    return (object && this.#tryAttributes(object)) ?? noAttributes;
  }

  /** Returns the bytes in the form of encodeStored; unchanged if they cannot be decoded. */
  #encodeAgain(bytes: Uint8Array): Uint8Array {
    try {
      return encodeStored(fromUnstructured(decodeJson(bytes)), this.#encode);
    } catch {
      return bytes;
    }
  }

  /**
   * Returns undefined if stored members have unexpected types: code that reads selectable fields relies on the kind's
   * types.
   */
  #tryAttributes(object: KubeObject): ObjectAttributes | undefined {
    try {
      return this.#attributes(object, undefined);
    } catch {
      return undefined;
    }
  }
}
