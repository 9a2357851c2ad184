import type { KubeObject } from '../../machinery/object.ts';
import type { KeyValue } from '../kv/engine.ts';
import { orderKey } from '../mvcc/keys.ts';
import type { StoredResource } from '../object-store/contract.ts';
import { parseSuffix } from '../object-store/keys.ts';
import { encodeStored, metadataOffset } from '../object-store/stored-json.ts';
import { CachedObject, isKubeObject, type ObjectContext, type ObjectIndex } from './cached-object.ts';
import type { Interner } from './interner.ts';

const nothing: Readonly<Record<string, string>> = Object.freeze({});

/** Makes the cache's objects of one resource: from what was written just now, or from bytes alone. */
export class ObjectReader {
  readonly #resource: StoredResource;
  readonly #prefixLength: number;
  readonly #context: ObjectContext;
  readonly #encode: (value: unknown) => Uint8Array;
  readonly #interner: Interner;

  constructor(
    resource: StoredResource,
    prefix: string,
    context: ObjectContext,
    encode: (value: unknown) => Uint8Array,
    interner: Interner,
  ) {
    this.#resource = resource;
    this.#prefixLength = prefix.length;
    this.#context = context;
    this.#encode = encode;
    this.#interner = interner;
  }

  /** What is kept of an object beside its bytes. */
  index(object: KubeObject): ObjectIndex {
    const { uid, labels } = object.metadata;
    return {
      uid: typeof uid === 'string' ? uid : '',
      labels: typeof labels === 'object' && labels !== null ? this.#interner.internRecord(labels) : nothing,
      selectable: this.#interner.internRecord(this.#resource.selectableFields(object)),
    };
  }

  /**
   * @param index what was computed when the object was written; without it the bytes are decoded, and an object
   *     that cannot be has offset -1
   */
  read(stored: KeyValue, index?: ObjectIndex): CachedObject {
    const key = orderKey(stored.key.slice(this.#prefixLength));
    // Names are pieces of the key, which is ASCII but for path-segment names.
    const suffix = key.length === stored.key.length - this.#prefixLength ? key : stored.key.slice(this.#prefixLength);
    const place = parseSuffix(this.#resource.namespaced, suffix);
    const base = {
      key,
      namespace: this.#interner.intern(place?.namespace ?? ''),
      name: place?.name ?? suffix,
      revision: stored.modRevision,
      createRevision: stored.createRevision,
    };
    let offset = metadataOffset(stored.value);
    if (place !== undefined && index !== undefined && offset !== undefined) {
      return new CachedObject({ ...base, ...index, value: stored.value, offset }, this.#context);
    }
    const object = place === undefined ? undefined : this.#decode(stored.value);
    if (object !== undefined) {
      let { value } = stored;
      if (offset === undefined) {
        // Not laid out as we write it: somebody else's bytes.
        value = this.#encodeAnew(value);
        offset = metadataOffset(value);
      }
      if (offset !== undefined) {
        const made = this.#tryIndex(object);
        if (made !== undefined) return new CachedObject({ ...base, ...made, value, offset }, this.#context);
      }
    }
    const { value } = stored;
    return new CachedObject(
      { ...base, uid: '', labels: nothing, selectable: nothing, value, offset: -1 },
      this.#context,
    );
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
      return encodeStored(this.#context.decode(bytes) as KubeObject, this.#encode);
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
