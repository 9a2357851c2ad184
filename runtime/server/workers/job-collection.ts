import { encodeJson } from '../../codec/json.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { type ObjectKey, objectKeyOf } from '../../machinery/object-key.ts';
import { StorageError } from '../../storage/errors.ts';
import type { Collection, CollectionSnapshot, StoredObject, StoredResource } from '../../storage/object-store/contract.ts';
import { DetachedObject, type StoredObjectData } from '../../storage/object-store/detached-object.ts';
import { keyPrefix, objectSuffix } from '../../storage/object-store/keys.ts';
import { requestProblem, storedLength } from '../../storage/object-store/request-size.ts';
import { encodeStored } from '../../storage/object-store/stored-json.ts';
import { type Fact, isAbout } from './facts.ts';
import type { JobState } from './job-state.ts';
import { PlannedObject } from './planned-object.ts';

/** The objects of one resource as a job sees them. Reads come from facts and answers; writes are planned. */
export class JobCollection implements Collection {
  readonly resource: StoredResource;
  readonly #job: JobState;
  readonly #id: GroupResource;

  constructor(job: JobState, resource: StoredResource) {
    this.#job = job;
    this.resource = resource;
    this.#id = { group: resource.group, resource: resource.resource };
  }

  storageKey(namespace: string, name: string): string {
    return `${keyPrefix(this.resource, this.#job.facts.root)}${namespace === '' ? '' : `${namespace}/`}${name}`;
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

  #snapshot(state: 'known' | 'newest'): CollectionSnapshot {
    const { ask, facts } = this.#job;
    const collection = this.#id;
    const list = (options: Parameters<CollectionSnapshot['scan']>[0]) => ask.objects({ collection, state, ...options });
    return {
      revision: facts.revision,
      get: (namespace, name) => this.#get(state, { namespace, name }),
      scan: (options) => list(options).map((each) => new DetachedObject(each)),
      count: (namespace) => list({ namespace }).length,
      countAfter: (after, namespace) => list({ namespace, after }).length,
    };
  }

  #get(state: 'known' | 'newest', key: ObjectKey): StoredObject | undefined {
    const planned = this.#job.planned(this.storageKey(key.namespace, key.name));
    if (planned !== 'unplanned') return planned;
    const fact = this.#factOf(key);
    if (fact !== undefined && (state === 'known' || fact.isNewest)) return received(fact.object);
    const [found] = this.#job.ask.objects({ collection: this.#id, state, ...key });
    return received(found);
  }

  #factOf(key: ObjectKey): Fact | undefined {
    return this.#job.facts.objects.find((fact) => isAbout(fact, this.#id, key));
  }

  corrupt(): readonly StoredObject[] {
    return this.#job.ask.objects({ collection: this.#id, state: 'corrupt' }).map((each) => new DetachedObject(each));
  }

  get checksSize(): boolean {
    return this.#job.facts.checksSize;
  }

  isStale({ namespace, name }: StoredObject): boolean {
    return this.#job.ask.isStale(this.#id, { namespace, name });
  }

  async create(object: KubeObject): Promise<StoredObject | undefined> {
    const key = objectKeyOf(object);
    const planned = this.#job.planned(this.storageKey(key.namespace, key.name));
    const known = planned === 'unplanned' ? this.#factOf(key)?.object : planned;
    return known === undefined ? this.#plan(object, 0) : undefined;
  }

  async update(object: KubeObject, expect: number): Promise<StoredObject | undefined> {
    return this.#plan(object, expect);
  }

  /** @throws StorageError if the server would refuse the bytes for their number */
  #plan(object: KubeObject, expect: number): StoredObject {
    const { resource } = this;
    const { namespace, name } = objectKeyOf(object);
    const value = encodeStored(object, encodeJson);
    const length = storedLength(resource, object, value);
    this.#checkSize(objectSuffix(resource.namespaced, namespace, name), length, expect);
    const { labels = {} } = object.metadata;
    const selectable = resource.selectableFields(object);
    const changesWhenRead = resource.changesWhenRead?.(object) ?? false;
    const encoded = { namespace, name, value, labels, selectable, changesWhenRead, storedLength: length };
    const revision = this.#job.effects.put({
      collection: this.#id,
      object: encoded,
      expect,
      generatesName: Boolean(object.metadata.generateName),
    });
    const planned = PlannedObject.stored(encoded, object.metadata.uid ?? '', revision);
    this.#job.plan(this.storageKey(namespace, name), planned);
    return planned;
  }

  #checkSize(suffix: string, length: number, expect: number): void {
    const refusal = this.#job.takeRefusal();
    if (refusal !== undefined) throw new StorageError('unavailable', refusal);
    if (!this.checksSize) return;
    const key = keyPrefix(this.resource, this.#job.facts.root) + suffix;
    const problem = requestProblem({ key, length, expect: Math.max(0, expect), hasLease: this.resource.ttlSeconds !== undefined });
    if (problem !== undefined) throw new StorageError('unavailable', problem);
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    const last = this.latest().get(namespace, name) ?? this.corrupt().find((one) => one.namespace === namespace && one.name === name);
    if (last === undefined) return undefined;
    const revision = this.#job.effects.delete({ collection: this.#id, namespace, name, expect });
    this.#job.plan(this.storageKey(namespace, name), undefined);
    return PlannedObject.deleted(last, revision);
  }

  async put(): Promise<StoredObject | undefined> {
    return unsupported('put');
  }

  at(): CollectionSnapshot {
    return unsupported('at');
  }

  progress(): number {
    return unsupported('progress');
  }

  requireHistory(): void {
    unsupported('requireHistory');
  }

  watch(): () => void {
    return unsupported('watch');
  }

  holdDecoded(): () => void {
    return unsupported('holdDecoded');
  }
}

const received = (data: StoredObjectData | undefined): DetachedObject | undefined => data && new DetachedObject(data);

function unsupported(what: string): never {
  throw new Error(`the objects of a job have no ${what}`);
}
