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
  index(object: KubeObject, namespace: string, name: string): ObjectIndex {
    const { uid, labels } = object.metadata;
    return {
      uid: typeof uid === 'string' ? uid : '',
      labels: labels === undefined ? nothing : this.#interner.internRecord(labels),
      fields: this.#interner.internRecord({
        'metadata.name': name,
        'metadata.namespace': namespace,
        ...this.#resource.selectableFields(object),
      }),
    };
  }

  /**
   * @param index what was computed when the object was written; without it the bytes are decoded, and an object
   *     that cannot be has offset -1
   */
  read(stored: KeyValue, index?: ObjectIndex): CachedObject {
    const suffix = stored.key.slice(this.#prefixLength);
    const place = parseSuffix(this.#resource.namespaced, suffix);
    const base = {
      key: orderKey(suffix),
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
        value = encodeStored(object, this.#encode);
        offset = metadataOffset(value);
      }
      if (offset !== undefined) {
        const made = this.#tryIndex(object, base.namespace, base.name);
        if (made !== undefined) return new CachedObject({ ...base, ...made, value, offset }, this.#context);
      }
    }
    const { value } = stored;
    return new CachedObject({ ...base, uid: '', labels: nothing, fields: nothing, value, offset: -1 }, this.#context);
  }

  #decode(bytes: Uint8Array): KubeObject | undefined {
    try {
      const object = this.#context.decode(bytes);
      return isKubeObject(object) ? object : undefined;
    } catch {
      return undefined;
    }
  }

  /** Selectable fields are read by code that expects the kind's types; stored bytes may hold others. */
  #tryIndex(object: KubeObject, namespace: string, name: string): ObjectIndex | undefined {
    try {
      return this.index(object, namespace, name);
    } catch {
      return undefined;
    }
  }
}
