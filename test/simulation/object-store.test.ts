import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Engine } from '../../runtime/storage/kv/engine.ts';
import { openLmdbEngine } from '../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../runtime/storage/memory/memory-engine.ts';
import type {
  Collection,
  ObjectStore,
  StoredObject,
  StoredResource,
} from '../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../runtime/storage/object-store/object-store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { Random } from '../support/random.ts';
import { type ModelEvent, type ModelFilter, type ModelObject, StoreModel } from './store-model.ts';

/*
 * Random writers, watchers, readers and compactions against a plain model of the store. `SEED=` repeats one
 * round, `ROUNDS=` runs more of them.
 */

const resource: StoredResource = { group: '', resource: 'pods', namespaced: true, selectableFields: () => ({}) };
const other: StoredResource = { group: '', resource: 'services', namespaced: true, selectableFields: () => ({}) };

const namespaces = ['a', 'a-b', 'b'];
const names = ['1', '2', '3', '4', '5'];
const colors = ['red', 'blue'];

interface Watch {
  readonly filter: ModelFilter;
  readonly after: number;
  readonly events: ModelEvent[];
  readonly stop: () => void;
  stoppedAt?: number;
}

class Round {
  readonly random: Random;
  readonly model = new StoreModel();
  readonly watches: Watch[] = [];
  readonly clock = new ManualClock();
  readonly open: () => Promise<Engine>;
  readonly canReopen: boolean;
  store!: ObjectStore;
  collection!: Collection;
  mark = 0;

  constructor(seed: number, open: () => Promise<Engine>, canReopen: boolean) {
    this.random = new Random(seed);
    this.open = open;
    this.canReopen = canReopen;
  }

  async run(): Promise<void> {
    await this.start();
    for (let step = 0; step < 120; step += 1) await this.step();
    for (const watch of this.watches) this.checkWatch(watch);
    const oldest = this.store.compactedRevision() + 1;
    const stride = this.random.between(5, 20);
    for (let revision = oldest; revision <= this.store.revision(); revision += stride) this.checkSnapshot(revision);
    await this.store.close();
  }

  async start(): Promise<void> {
    this.store = openObjectStore({ engine: await this.open(), clock: this.clock });
    this.collection = await this.store.collection(resource);
  }

  async step(): Promise<void> {
    const { random } = this;
    const dice = random.next();
    if (dice < 0.5) await Promise.all(Array.from({ length: random.between(1, 8) }, () => this.write()));
    else if (dice < 0.7) this.watch();
    else if (dice < 0.78) this.stopOne();
    else if (dice < 0.9) this.checkSnapshot(random.between(this.store.compactedRevision() + 1, this.store.revision()));
    else if (dice < 0.95) await this.store.compact(random.between(1, this.store.revision()));
    else if (dice < 0.98) this.clock.advance(random.between(1, 90_000));
    else if (this.canReopen) await this.restart();
  }

  async write(): Promise<void> {
    const { random, collection } = this;
    if (random.chance(0.1)) {
      const services = await this.store.collection(other);
      await services.create({ metadata: { namespace: 'a', name: `s${this.mark++}` } });
      return;
    }
    const namespace = random.pick(namespaces);
    const name = random.pick(names);
    const existing = collection.latest().get(namespace, name);
    const previous = existing === undefined ? undefined : toModel(existing);
    if (existing !== undefined && random.chance(0.3)) {
      const gone = await collection.delete(namespace, name, existing.revision);
      if (gone !== undefined) this.model.note({ revision: gone.revision, previous });
      return;
    }
    this.mark += 1;
    const object = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { namespace, name, labels: { color: random.pick(colors) } },
      mark: this.mark,
    };
    const stored =
      existing === undefined ? await collection.create(object) : await collection.update(object, existing.revision);
    if (stored === undefined) return;
    expect(stored.decode().mark).toBe(object.mark);
    this.model.note({ revision: stored.revision, current: toModel(stored), previous });
  }

  watch(): void {
    const { random, store } = this;
    const filter: ModelFilter = {
      ...(random.chance(0.4) ? { namespace: random.pick(namespaces) } : {}),
      ...(random.chance(0.3) ? { name: random.pick(names) } : {}),
      ...(random.chance(0.4) ? { color: random.pick(colors) } : {}),
    };
    this.watchFrom(random.between(store.compactedRevision() + 1, store.revision()), filter);
  }

  watchFrom(after: number, filter: ModelFilter): void {
    const events: ModelEvent[] = [];
    const { namespace, name, color } = filter;
    const stop = this.collection.watch({
      after,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(color === undefined ? {} : { matches: ({ labels }: StoredObject) => labels.color === color }),
      onEvent: ({ type, revision, object }) => events.push({ type, revision, object: toModel(object) }),
    });
    this.watches.push({ filter, after, events, stop });
  }

  /** Ends one watch, and as often as not goes on from the last revision it saw. */
  stopOne(): void {
    const running = this.watches.filter(({ stoppedAt }) => stoppedAt === undefined);
    if (running.length === 0) return;
    const watch = this.random.pick(running);
    watch.stop();
    watch.stoppedAt = this.store.revision();
    const last = watch.events.at(-1)?.revision ?? watch.after;
    if (this.random.chance(0.5) && last > this.store.compactedRevision()) this.watchFrom(last, watch.filter);
  }

  async restart(): Promise<void> {
    const revision = this.store.revision();
    for (const watch of this.watches) watch.stoppedAt ??= revision;
    await this.store.close();
    await this.start();
    expect(this.store.revision()).toBe(revision);
  }

  checkWatch({ filter, after, events, stoppedAt }: Watch): void {
    expectSame(events, this.model.events(after, stoppedAt ?? this.store.revision(), filter));
  }

  /** All of it, of one namespace, and in pages. */
  checkSnapshot(revision: number): void {
    const snapshot = this.collection.at(revision);
    const want = this.model.at(revision);
    expectSame([...snapshot.scan()].map(toModel), want);
    expectSame(snapshot.count(), want.length);
    const namespace = this.random.pick(namespaces);
    const part = want.filter((object) => object.namespace === namespace);
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

/** `expect` for the hundred thousands: it speaks up only where something is wrong. */
function expectSame(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) expect(got).toEqual(want);
}

function toModel(object: StoredObject): ModelObject {
  const { metadata, mark } = object.decode();
  if (metadata.resourceVersion !== String(object.revision)) throw new Error(`bytes of ${metadata.resourceVersion}`);
  const { namespace, name, revision } = object;
  return { namespace, name, color: object.labels.color, mark, revision };
}

function runRounds(defaultRounds: number, runRound: (seed: number) => Promise<void>): () => Promise<void> {
  return async () => {
    const first = Number(process.env.SEED ?? 1);
    const rounds = process.env.SEED === undefined ? Number(process.env.ROUNDS ?? defaultRounds) : 1;
    for (let seed = first; seed < first + rounds; seed += 1) {
      try {
        await runRound(seed);
      } catch (error) {
        (error as Error).message = `SEED=${seed} repeats this: ${(error as Error).message}`;
        throw error;
      }
    }
  };
}

describe('watches and reads are ordered, unique, complete and resumable', () => {
  test(
    'over memory',
    runRounds(100, (seed) => new Round(seed, async () => createMemoryEngine(), false).run()),
  );

  test(
    'over lmdb, with restarts',
    runRounds(10, async (seed) => {
      const dir = await mkdtemp(join(tmpdir(), 'kubeloom-simulation-'));
      try {
        await new Round(seed, () => openLmdbEngine({ path: dir, unsafeNoFsync: true }), true).run();
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    }),
  );
});
