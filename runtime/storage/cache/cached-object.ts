import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import { StorageError } from '../errors.ts';
import type { Keyed } from '../mvcc/ordered-tree.ts';
import type { StoredObject } from '../object-store/contract.ts';
import { metadataEnd, servedLength, writeServed } from '../object-store/stored-json.ts';
import type { FormCache, Forms } from './forms.ts';

/** What all objects of a store share. */
export interface ObjectContext {
  readonly forms: FormCache;
  readonly decode: (bytes: Uint8Array) => unknown;
}

/** What is kept of an object beside its bytes. */
export interface ObjectIndex {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The resource's own selectable fields, shared between objects that agree in them. */
  readonly selectable: Readonly<Record<string, string>>;
}

export interface ObjectParts extends ObjectIndex, Keyed {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly createRevision: number;
  /** As stored, without resourceVersion; shared with the engine where it keeps values in memory. */
  readonly value: Uint8Array;
  /** Where the resourceVersion goes; -1 for bytes that are not an object. */
  readonly offset: number;
}

let lastFields: { object: unknown; fields: Readonly<Record<string, string>> } = { object: undefined, fields: {} };

export class CachedObject implements StoredObject, Keyed {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly selectable: Readonly<Record<string, string>>;
  readonly value: Uint8Array;
  readonly offset: number;
  readonly #context: ObjectContext;
  #forms: Forms | undefined;

  constructor(parts: ObjectParts, context: ObjectContext) {
    this.key = parts.key;
    this.namespace = parts.namespace;
    this.name = parts.name;
    this.uid = parts.uid;
    this.revision = parts.revision;
    this.createRevision = parts.createRevision;
    this.labels = parts.labels;
    this.selectable = parts.selectable;
    this.value = parts.value;
    this.offset = parts.offset;
    this.#context = context;
  }

  /** Put together when asked for, and kept for the object asked last: many watchers ask of one event. */
  get fields(): Readonly<Record<string, string>> {
    if (lastFields.object !== this) {
      const { name, namespace, selectable } = this;
      const own = this.offset < 0 ? {} : { 'metadata.name': name, 'metadata.namespace': namespace, ...selectable };
      lastFields = { object: this, fields: own };
    }
    return lastFields.fields;
  }

  get jsonLength(): number {
    return this.offset < 0 ? this.value.length : servedLength(this.value, this.offset, this.revision);
  }

  get json(): Uint8Array {
    if (this.offset < 0) return this.value;
    const bytes = Buffer.allocUnsafe(this.jsonLength);
    writeServed(this.value, this.offset, this.revision, bytes, 0);
    return bytes;
  }

  writeJson(target: Uint8Array, start: number): number {
    if (this.offset >= 0) return writeServed(this.value, this.offset, this.revision, target, start);
    target.set(this.value, start);
    return start + this.value.length;
  }

  decode(): KubeObject {
    let object: unknown;
    try {
      object = this.#context.decode(this.json);
    } catch (error) {
      throw corruptError(this.key, (error as Error).message);
    }
    if (!isKubeObject(object)) throw corruptError(this.key, 'not a JSON object with metadata');
    return object;
  }

  metadata(): ObjectMeta {
    const end = this.offset < 0 ? undefined : metadataEnd(this.value, this.offset);
    if (end === undefined) return this.decode().metadata;
    try {
      const metadata = this.#context.decode(this.value.subarray(this.offset - 1, end)) as ObjectMeta;
      metadata.resourceVersion = String(this.revision);
      return metadata;
    } catch (error) {
      throw corruptError(this.key, (error as Error).message);
    }
  }

  mentions(text: string): boolean {
    const { buffer, byteOffset, byteLength } = this.value;
    return Buffer.from(buffer, byteOffset, byteLength).includes(text, 0, 'latin1');
  }

  form(key: string, make: () => Uint8Array): Uint8Array {
    this.#forms ??= new Map();
    return this.#context.forms.get(this.#forms, key, make);
  }

  /** The same content at another revision: the last state of a deleted object. */
  at(revision: number): CachedObject {
    return new CachedObject({ ...this.#parts(), revision }, this.#context);
  }

  #parts(): ObjectParts {
    const { key, namespace, name, uid, revision, createRevision, labels, selectable, value, offset } = this;
    return { key, namespace, name, uid, revision, createRevision, labels, selectable, value, offset };
  }
}

export function isKubeObject(value: unknown): value is KubeObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { metadata } = value as { metadata?: unknown };
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
}

export function corruptError(key: string, why: string): StorageError {
  return new StorageError('corrupt', `the stored object ${key} cannot be decoded: ${why}`);
}
