import { encodeJson } from '../../codec/json.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { objectKeyOf } from '../../machinery/object-key.ts';
import type { Collection, CollectionSnapshot, StoredObject, StoredResource } from '../../storage/object-store/contract.ts';
import { DetachedObject } from '../../storage/object-store/detached-object.ts';
import { keyPrefix } from '../../storage/object-store/keys.ts';
import { storedLength } from '../../storage/object-store/request-size.ts';
import { encodeStored, servedJson } from '../../storage/object-store/stored-json.ts';
import type { Ask } from './ask.ts';
import type { PendingEffects } from './pending-effects.ts';
import type { ObjectQuery } from './questions.ts';

/** The part of a job that its collections use. */
export interface CollectionJob {
  readonly ask: Ask;
  readonly effects: PendingEffects;
  /** The prefix of all keys of the store. */
  readonly root: string;
}

/** The objects of one resource as jobs see them. The server reads and stores them. */
export class JobCollection implements Collection {
  readonly resource: StoredResource;
  readonly #job: CollectionJob;
  readonly #id: GroupResource;

  constructor(job: CollectionJob, resource: StoredResource) {
    this.#job = job;
    this.resource = resource;
    this.#id = { group: resource.group, resource: resource.resource };
  }

  storageKey(namespace: string, name: string): string {
    return `${keyPrefix(this.resource, this.#job.root)}${namespace === '' ? '' : `${namespace}/`}${name}`;
  }

  latest(): CollectionSnapshot {
    return this.#snapshot('known');
  }

  mostRecent(): CollectionSnapshot {
    return this.#snapshot('newest');
  }

  async notOlderThan(): Promise<CollectionSnapshot> {
    return this.latest();
  }

  corrupt(): readonly StoredObject[] {
    return this.#find({ state: 'corrupt' });
  }

  #snapshot(state: 'known' | 'newest'): CollectionSnapshot {
    return {
      get revision() {
        return unsupported();
      },
      get: (namespace, name) => this.#find({ namespace, name, state })[0],
      scan: (options) => this.#find({ ...options, state }),
      count: (namespace) => this.#find({ namespace, state }).length,
      countAfter: (after, namespace) => this.#find({ namespace, after, state }).length,
    };
  }

  #find(query: Omit<ObjectQuery, 'collection'>): readonly StoredObject[] {
    return this.#job.ask.objects.find({ collection: this.#id, ...query }).map((data) => new DetachedObject(data));
  }

  isStale({ namespace, name }: StoredObject): boolean {
    return this.#job.ask.objects.isStale(this.#id, { namespace, name });
  }

  create(object: KubeObject): Promise<StoredObject | undefined> {
    return this.update(object, 0);
  }

  async update(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    const { resource } = this;
    const { namespace, name } = objectKeyOf(object);
    const { uid = '', labels = {} } = object.metadata;
    const value = encodeStored(object, encodeJson);
    const selectable = resource.selectableFields(object);
    const changesWhenRead = resource.changesWhenRead?.(object) ?? false;
    const encoded = { namespace, name, value: shared(value), labels, selectable, changesWhenRead };
    const revisions = this.#job.ask.writes.put(this.#job.effects.take(), {
      collection: this.#id,
      object: { ...encoded, storedLength: storedLength(resource, object, value) },
      expect,
    });
    if (revisions === undefined) return undefined;
    const json = servedJson(value, revisions.revision);
    const fields = { ...selectable, 'metadata.name': name, 'metadata.namespace': namespace };
    const noError = { transformError: undefined, decodeError: undefined };
    return new DetachedObject({ ...encoded, ...revisions, ...noError, uid, json, fields });
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    const { ask, effects } = this.#job;
    const last = ask.writes.delete(effects.take(), { collection: this.#id, namespace, name, expect });
    return last && new DetachedObject(last);
  }

  /** The server checks it. */
  readonly checksSize = false;
  readonly put = unsupported;
  readonly at = unsupported;
  readonly progress = unsupported;
  readonly requireHistory = unsupported;
  readonly watch = unsupported;
  readonly holdDecoded = unsupported;
}

/** Returns a copy that threads share: the server copies it into its store, and nowhere else. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

export function unsupported(): never {
  throw new Error('jobs neither watch objects nor read their history');
}
