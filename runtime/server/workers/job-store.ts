import { encodeJson } from '../../codec/json.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { objectKeyOf } from '../../machinery/object-key.ts';
import { StorageError } from '../../storage/errors.ts';
import type { Collection, CollectionSnapshot, ObjectStore, StoredObject, StoredResource } from '../../storage/object-store/contract.ts';
import { DetachedObject, type StoredObjectData } from '../../storage/object-store/detached-object.ts';
import { keyPrefix, objectSuffix, registryPrefix } from '../../storage/object-store/keys.ts';
import { requestProblem, storedLength } from '../../storage/object-store/request-size.ts';
import { encodeStored } from '../../storage/object-store/stored-json.ts';
import type { Ask } from './ask.ts';
import { type Fact, isAbout, type JobFacts } from './facts.ts';
import type { PlannedEffects } from './planned-effects.ts';
import { PlannedObject } from './planned-object.ts';

/**
 * The objects as a job sees them: the facts that came with it, the answers to its questions, and on top its own planned
 * writes.
 */
export class JobStore implements ObjectStore {
  readonly ask: Ask;
  readonly effects: PlannedEffects;
  readonly #collections = new Map<string, JobCollection>();
  #facts: JobFacts = { revision: 0, objects: [], root: registryPrefix, checksSize: true };
  readonly #planned = new Map<string, PlannedObject | undefined>();

  constructor(ask: Ask, effects: PlannedEffects) {
    this.ask = ask;
    this.effects = effects;
  }

  /** Starts a job. */
  begin(facts: JobFacts): void {
    this.#facts = facts;
    this.#planned.clear();
  }

  get facts(): JobFacts {
    return this.#facts;
  }

  async collection(resource: StoredResource): Promise<Collection> {
    const { resourcePrefix } = resource;
    let collection = this.#collections.get(resourcePrefix);
    if (collection === undefined) {
      collection = new JobCollection(this, resource);
      this.#collections.set(resourcePrefix, collection);
    }
    return collection;
  }

  forget({ resourcePrefix }: Pick<StoredResource, 'resourcePrefix'>): void {
    this.#collections.delete(resourcePrefix);
  }

  /** Returns why the server could not store the object of the last run, once. */
  takeRefusal(): string | undefined {
    const { refusal } = this.#facts;
    if (refusal !== undefined) this.#facts = { ...this.#facts, refusal: undefined };
    return refusal;
  }

  /** Returns the state of an object after the planned writes; `unplanned` if there is none of it. */
  planned(key: string): PlannedObject | undefined | 'unplanned' {
    return this.#planned.has(key) ? this.#planned.get(key) : 'unplanned';
  }

  plan(key: string, object: PlannedObject | undefined): void {
    this.#planned.set(key, object);
  }

  revision(): number {
    return this.#facts.revision;
  }

  get isShared(): boolean {
    return unsupported('isShared');
  }

  async hasObjects(): Promise<boolean> {
    return unsupported('hasObjects');
  }

  onCommit(): () => void {
    return unsupported('onCommit');
  }

  onUnloadedWrite(): () => void {
    return unsupported('onUnloadedWrite');
  }

  compactedRevision(): number {
    return unsupported('compactedRevision');
  }

  async compact(): Promise<void> {
    unsupported('compact');
  }

  async close(): Promise<void> {}
}

class JobCollection implements Collection {
  readonly resource: StoredResource;
  readonly #store: JobStore;
  readonly #id: GroupResource;

  constructor(store: JobStore, resource: StoredResource) {
    this.#store = store;
    this.resource = resource;
    this.#id = { group: resource.group, resource: resource.resource };
  }

  storageKey(namespace: string, name: string): string {
    return `${keyPrefix(this.resource, this.#store.facts.root)}${namespace === '' ? '' : `${namespace}/`}${name}`;
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
    const { ask, facts } = this.#store;
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
    const planned = this.#store.planned(this.storageKey(key.namespace, key.name));
    if (planned !== 'unplanned') return planned;
    const fact = this.#factOf(key);
    if (fact !== undefined && (state === 'known' || fact.isNewest)) return received(fact.object);
    const [found] = this.#store.ask.objects({ collection: this.#id, state, ...key });
    return received(found);
  }

  #factOf(key: ObjectKey): Fact | undefined {
    return this.#store.facts.objects.find((fact) => isAbout(fact, this.#id, key));
  }

  corrupt(): readonly StoredObject[] {
    return this.#store.ask.objects({ collection: this.#id, state: 'corrupt' }).map((each) => new DetachedObject(each));
  }

  get checksSize(): boolean {
    return this.#store.facts.checksSize;
  }

  isStale({ namespace, name }: StoredObject): boolean {
    return this.#store.ask.isStale(this.#id, { namespace, name });
  }

  async create(object: KubeObject): Promise<StoredObject | undefined> {
    const key = objectKeyOf(object);
    const planned = this.#store.planned(this.storageKey(key.namespace, key.name));
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
    const revision = this.#store.effects.put({
      collection: this.#id,
      object: encoded,
      expect,
      generatesName: Boolean(object.metadata.generateName),
    });
    const planned = PlannedObject.stored(encoded, object.metadata.uid ?? '', revision);
    this.#store.plan(this.storageKey(namespace, name), planned);
    return planned;
  }

  #checkSize(suffix: string, length: number, expect: number): void {
    const refusal = this.#store.takeRefusal();
    if (refusal !== undefined) throw new StorageError('unavailable', refusal);
    if (!this.checksSize) return;
    const key = keyPrefix(this.resource, this.#store.facts.root) + suffix;
    const problem = requestProblem({ key, length, expect: Math.max(0, expect), hasLease: this.resource.ttlSeconds !== undefined });
    if (problem !== undefined) throw new StorageError('unavailable', problem);
  }

  async delete(namespace: string, name: string, expect: number): Promise<StoredObject | undefined> {
    const last = this.latest().get(namespace, name) ?? this.corrupt().find((one) => one.namespace === namespace && one.name === name);
    if (last === undefined) return undefined;
    const revision = this.#store.effects.delete({ collection: this.#id, namespace, name, expect });
    this.#store.plan(this.storageKey(namespace, name), undefined);
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
  throw new Error(`the store of a job has no ${what}`);
}
