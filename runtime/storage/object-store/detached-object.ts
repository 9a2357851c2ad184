import { decodeJson } from '../../codec/json.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { fromUnstructured, type KubeObject, type ObjectMeta } from '../../machinery/object.ts';
import { StorageError } from '../errors.ts';
import type { StoredObject } from './contract.ts';

/** The members of a stored object from which the others derive. Structured clone can copy them. */
export type StoredObjectData = Pick<
  StoredObject,
  | 'namespace'
  | 'name'
  | 'uid'
  | 'revision'
  | 'createRevision'
  | 'json'
  | 'labels'
  | 'fields'
  | 'changesWhenRead'
  | 'transformError'
  | 'decodeError'
>;

/** A stored object with its own JSON instead of the cache's shared bytes. */
export class DetachedObject implements StoredObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly json: Uint8Array;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly changesWhenRead: boolean | undefined;
  readonly transformError: string | undefined;
  readonly decodeError: string | undefined;

  constructor(data: StoredObjectData) {
    this.namespace = data.namespace;
    this.name = data.name;
    this.uid = data.uid;
    this.revision = data.revision;
    this.createRevision = data.createRevision;
    this.json = data.json;
    this.labels = data.labels;
    this.fields = data.fields;
    this.changesWhenRead = data.changesWhenRead;
    this.transformError = data.transformError;
    this.decodeError = data.decodeError;
  }

  get jsonLength(): number {
    return this.json.length;
  }

  writeJson(target: Uint8Array, offset: number): number {
    target.set(this.json, offset);
    return offset + this.json.length;
  }

  /** The bytes of an item with kind and apiVersion, which list items of custom resources have. */
  get itemLength(): number {
    return this.json.length;
  }

  writeItem(target: Uint8Array, offset: number): number {
    return this.writeJson(target, offset);
  }

  decode(): KubeObject {
    try {
      return fromUnstructured(decodeJson(this.json));
    } catch (error) {
      throw new StorageError('corrupt', messageOf(error));
    }
  }

  shared(): KubeObject {
    return this.decode();
  }

  sharedMetadata(): ObjectMeta {
    return this.metadata();
  }

  metadata(): ObjectMeta {
    return this.decode().metadata;
  }

  mentions(text: Uint8Array): boolean {
    return Buffer.prototype.includes.call(this.json, text);
  }

  /** Encodes without a cache. Subclasses that outlive a request may cache. */
  cacheEncode(_key: string, encode: () => Uint8Array): Uint8Array {
    return encode();
  }
}

/** Returns the data of a stored object, for another thread. */
export function dataOf(stored: StoredObject): StoredObjectData {
  const { namespace, name, uid, revision, createRevision, json, labels, fields } = stored;
  const { changesWhenRead, transformError, decodeError } = stored;
  return { namespace, name, uid, revision, createRevision, json, labels, fields, changesWhenRead, transformError, decodeError };
}
