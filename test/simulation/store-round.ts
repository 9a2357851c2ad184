import { isStorageError } from '../../runtime/storage/errors.ts';
import type { Engine } from '../../runtime/storage/kv/engine.ts';
import type { Collection, ObjectStore, StoredObject, StoredResource } from '../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../runtime/storage/object-store/object-store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { Random } from '../support/random.ts';
import type { TestObject } from '../support/test-object.ts';
import { expectSame } from './checks.ts';
import { type ModelEvent, type ModelFilter, type ModelObject, StoreModel } from './store-model.ts';

const resource: StoredResource = {
  group: '',
  resource: 'pods',
  resourcePrefix: 'pods',
  namespaced: true,
  selectableFields: ({ spec }: TestObject) => ({ 'spec.shape': String(spec?.shape ?? '') }),
};
const other: StoredResource = {
  group: '',
  resource: 'services',
  resourcePrefix: 'services/specs',
  namespaced: true,
  selectableFields: () => ({}),
};

const namespaces = ['a', 'a-b', 'b'];
const names = ['1', '2', '3', '4', '5'];
const colors = ['red', 'blue'];
const shapes = ['round', 'square'];

interface Watch {
  readonly filter: ModelFilter;
  readonly after: number;
  readonly events: ModelEvent[];
  readonly stop: () => void;
  stoppedAt?: number;
}

/** One seed's writers, watchers, readers and compactions, over one store. */
export class StoreRound {
  readonly #random: Random;
  readonly #model = new StoreModel();
  readonly #watches: Watch[] = [];
  readonly #clock = new ManualClock();
  readonly #open: () => Promise<Engine>;
  readonly #canReopen: boolean;
  #store!: ObjectStore;
  #collection!: Collection;
  #mark = 0;

  constructor(seed: number, open: () => Promise<Engine>, canReopen: boolean) {
    this.#random = new Random(seed);
    this.#open = open;
    this.#canReopen = canReopen;
  }

  async run(): Promise<void> {
    await this.#start();
    try {
      for (let steps = this.#random.between(20, 100); steps > 0; steps -= 1) await this.#step();
      for (const watch of this.#watches) this.#checkWatch(watch);
      const stride = this.#random.between(5, 20);
      for (let revision = this.#oldest(); revision <= this.#store.revision(); revision += stride) {
        this.#checkSnapshot(revision);
      }
    } finally {
      await this.#store.close();
    }
  }

  async #start(): Promise<void> {
    this.#store = openObjectStore({ engine: await this.#open(), clock: this.#clock });
    this.#collection = await this.#store.collection(resource);
  }

  async #step(): Promise<void> {
    const random = this.#random;
    const dice = random.next();
    if (dice < 0.5) await Promise.all(Array.from({ length: random.between(1, 8) }, () => this.#write()));
    else if (dice < 0.68) this.#watch();
    else if (dice < 0.76) this.#stopOne();
    else if (dice < 0.86) this.#checkSnapshot(random.between(this.#oldest(), this.#store.revision()));
    else if (dice < 0.89) this.#checkUnreadable();
    else if (dice < 0.91) await this.#checkSoon();
    else if (dice < 0.95) await this.#store.compact(random.between(1, this.#store.revision()));
    else if (dice < 0.98) this.#clock.advance(random.between(1, 90_000));
    else if (this.#canReopen) await this.#restart();
  }

  #oldest(): number {
    return this.#store.compactedRevision() + 1;
  }

  async #write(): Promise<void> {
    const random = this.#random;
    const collection = this.#collection;
    if (random.chance(0.1)) {
      const services = await this.#store.collection(other);
      await services.create({ metadata: { namespace: 'a', name: `s${this.#mark++}` } });
      return;
    }
    const namespace = random.pick(namespaces);
    const name = random.pick(names);
    const existing = collection.latest().get(namespace, name);
    if (existing !== undefined && random.chance(0.3)) {
      const gone = await collection.delete(namespace, name, existing.revision);
      if (gone !== undefined) this.#model.note(gone.revision, gone);
      return;
    }
    this.#mark += 1;
    const object = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { namespace, name, labels: { color: random.pick(colors) } },
      spec: { shape: random.pick(shapes) },
      mark: this.#mark,
    };
    const stored = existing === undefined ? await collection.create(object) : await collection.update(object, existing.revision);
    if (stored === undefined) return;
    expectSame((stored.decode() as TestObject).mark, object.mark);
    this.#model.note(stored.revision, stored, toModel(stored));
  }

  #watch(): void {
    const random = this.#random;
    const filter: ModelFilter = {
      ...(random.chance(0.4) ? { namespace: random.pick(namespaces) } : {}),
      ...(random.chance(0.3) ? { name: random.pick(names) } : {}),
      ...(random.chance(0.3) ? { color: random.pick(colors) } : {}),
      ...(random.chance(0.2) ? { shape: random.pick(shapes) } : {}),
    };
    this.#watchFrom(random.between(this.#oldest(), this.#store.revision()), filter);
  }

  #watchFrom(after: number, filter: ModelFilter): void {
    const events: ModelEvent[] = [];
    const { namespace, name, color, shape } = filter;
    const selects = color !== undefined || shape !== undefined;
    const stop = this.#collection.watch({
      after,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(selects
        ? {
            matches: ({ labels, fields }: StoredObject) =>
              (color ?? labels.color) === labels.color && (shape ?? fields['spec.shape']) === fields['spec.shape'],
          }
        : {}),
      onEvent: ({ type, revision, object }) => events.push({ type, revision, object: toModel(object) }),
    });
    this.#watches.push({ filter, after, events, stop });
  }

  /** Ends one watch, and resumes half of the time from its last revision. */
  #stopOne(): void {
    const running = this.#watches.filter(({ stoppedAt }) => stoppedAt === undefined);
    if (running.length === 0) return;
    const watch = this.#random.pick(running);
    watch.stop();
    watch.stoppedAt = this.#store.revision();
    const last = watch.events.at(-1)?.revision ?? watch.after;
    if (this.#random.chance(0.5) && last > this.#store.compactedRevision()) this.#watchFrom(last, watch.filter);
  }

  async #restart(): Promise<void> {
    const revision = this.#store.revision();
    for (const watch of this.#watches) watch.stoppedAt ??= revision;
    await this.#store.close();
    await this.#start();
    expectSame(this.#store.revision(), revision);
  }

  #checkWatch({ filter, after, events, stoppedAt }: Watch): void {
    expectSame(events, this.#model.events(after, stoppedAt ?? this.#store.revision(), filter));
  }

  /** Checks that compacted and future revisions cannot be read, nor compacted ones watched. */
  #checkUnreadable(): void {
    const gone = this.#store.compactedRevision();
    if (gone > 0) {
      expectSame(
        codeOf(() => this.#collection.at(gone)),
        'compacted',
      );
    }
    if (gone > 1) {
      expectSame(
        codeOf(() => this.#collection.watch({ after: gone - 1, onEvent: () => undefined })),
        'compacted',
      );
    }
    expectSame(
      codeOf(() => this.#collection.at(this.#store.revision() + 1)),
      'future',
    );
  }

  /** Checks that a read waits for the next revision. */
  async #checkSoon(): Promise<void> {
    const next = this.#store.revision() + 1;
    const pending = this.#collection.notOlderThan(next, { timeoutMs: 1000 });
    const created = await (await this.#store.collection(other)).create({
      metadata: { namespace: 'b', name: `s${this.#mark++}` },
    });
    expectSame((await pending).revision >= (created?.revision ?? next), true);
  }

  /** Checks all objects, those of one namespace, and pages. */
  #checkSnapshot(revision: number): void {
    const snapshot = this.#collection.at(revision);
    const want = this.#model.at(revision);
    expectSame([...snapshot.scan()].map(toModel), want);
    expectSame(snapshot.count(), want.length);
    const namespace = this.#random.pick(namespaces);
    const part = this.#model.at(revision, { namespace });
    expectSame(snapshot.count(namespace), part.length);
    const seen: ModelObject[] = [];
    for (let after: { namespace: string; name: string } | undefined; ; ) {
      const page = [...snapshot.scan({ namespace, ...(after ? { after } : {}) })].slice(0, 2).map(toModel);
      if (page.length === 0) break;
      seen.push(...page);
      after = page[page.length - 1];
      expectSame(snapshot.countAfter(after, namespace), part.length - seen.length);
    }
    expectSame(seen, part);
  }
}

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'nothing thrown';
  } catch (error) {
    if (isStorageError(error)) return error.code;
    throw error;
  }
}

/** A cache: stored objects never change, and are compared repeatedly. */
const models = new WeakMap<StoredObject, ModelObject>();

function toModel(object: StoredObject): ModelObject {
  const known = models.get(object);
  if (known !== undefined) return known;
  const { metadata, spec, mark }: TestObject = object.decode();
  if (metadata.resourceVersion !== String(object.revision)) throw new Error(`bytes of ${metadata.resourceVersion}`);
  const { namespace, name, revision } = object;
  const model = { namespace, name, color: object.labels.color, shape: spec.shape, mark, revision };
  models.set(object, model);
  return model;
}
