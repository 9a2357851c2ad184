import { ManualClock } from '../support/manual-clock.ts';
import { ObjectFixture, type Query, type storages } from '../support/object-fixture.ts';
import { Random } from '../support/random.ts';
import { expectSame } from './checks.ts';
import { HttpReader } from './http-reads.ts';
import { HttpWatch, type HttpWatchStart } from './http-watch.ts';
import { fromWire, onlyMetadata, toWire, wholeObjects } from './http-wire.ts';
import { type ModelFilter, type ModelKey, StoreModel } from './store-model.ts';

const namespaces = ['a', 'a-b', 'b'];
const names = ['1', '2', '3', '4', '5'];
const colors = ['red', 'blue'];
const shapes = ['Round', 'Square'];
const json = 'application/json';

const revisionsBetween = (after: number, upTo: number): number[] => Array.from({ length: upTo - after }, (_, at) => after + 1 + at);

/** One seed's clients of one server: they write, list, page, watch, disconnect and resume. */
export class HttpRound {
  readonly #random: Random;
  readonly #storage: (typeof storages)[number];
  readonly #clock = new ManualClock();
  readonly #model = new StoreModel();
  readonly #watches: HttpWatch[] = [];
  #fixture!: ObjectFixture;
  #reader!: HttpReader;
  #mark = 0;
  /** The oldest readable revision. */
  #oldest = 1;

  constructor(seed: number, storage: (typeof storages)[number]) {
    this.#random = new Random(seed);
    this.#storage = storage;
  }

  async run(): Promise<void> {
    const clock = this.#clock;
    this.#fixture = await ObjectFixture.open(this.#storage, { clock, compactionWindow: 86_400_000 });
    try {
      for (const name of namespaces) {
        await this.#fixture.client.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name } }), json);
      }
      this.#reader = new HttpReader(this.#fixture, this.#model, this.#random);
      for (let steps = this.#random.between(20, 50); steps > 0; steps--) await this.#step();
      for (const watch of this.#watches) await watch.check(this.#now());
    } finally {
      await this.#fixture.close();
    }
    for (const watch of this.#watches) await watch.checkEnd();
  }

  #now(): number {
    return this.#fixture.server.revision();
  }

  async #step(): Promise<void> {
    const random = this.#random;
    const dice = random.next();
    if (dice < 0.35) await this.#write();
    else if (dice < 0.55) await this.#watch();
    else if (dice < 0.65) await this.#comeBack();
    else if (dice < 0.71) await this.#checkOne();
    else if (dice < 0.78) await this.#reader.get(this.#key());
    else if (dice < 0.85) await this.#reader.list(this.#place(), this.#oldest);
    else if (dice < 0.92) await this.#readPages();
    else if (dice < 0.96) await this.#compact();
    else this.#clock.advance(random.pick([1_000, 60_000, 90_000]));
  }

  #key(): ModelKey {
    return { namespace: this.#random.pick(namespaces), name: this.#random.pick(names) };
  }

  /** Sends concurrent writes with at most one deletion, so that its revision is the remaining one. */
  async #write(): Promise<void> {
    const random = this.#random;
    const before = this.#now();
    const doomed = random.chance(0.6) ? random.pick(this.#model.at(before)) : undefined;
    const writes: Promise<number | undefined>[] = [];
    for (let count = random.between(1, 6); count > 0; count--) {
      const key = this.#key();
      if (doomed?.namespace !== key.namespace || doomed.name !== key.name) writes.push(this.#put(key));
    }
    const deleting = doomed === undefined ? undefined : this.#delete(doomed);
    const taken = new Set(await Promise.all(writes));
    if (doomed === undefined) return;
    await deleting;
    const left = revisionsBetween(before, this.#now()).filter((revision) => !taken.has(revision));
    this.#model.note(await this.#deletionRevision(doomed, left), doomed);
  }

  /** Returns the revision of a deletion: the one without another write, unless the server itself wrote meanwhile. */
  async #deletionRevision({ namespace, name }: ModelKey, candidates: readonly number[]): Promise<number> {
    for (const revision of candidates.slice(0, -1)) {
      const { json } = await this.#fixture.get(`/api/v1/namespaces/${namespace}/events`, {
        resourceVersion: revision,
        resourceVersionMatch: 'Exact',
        fieldSelector: `metadata.name=${name}`,
      });
      if (json.items.length === 0) return revision;
    }
    return candidates[candidates.length - 1];
  }

  /** Creates or replaces an object. One of two concurrent writes succeeds. Returns the revision of a success. */
  async #put(key: ModelKey): Promise<number | undefined> {
    const random = this.#random;
    const [existing] = this.#model.at(this.#now(), key);
    this.#mark++;
    const guard = existing === undefined || random.chance(0.3) ? undefined : String(existing.revision);
    const body = toWire(key, random.pick(colors), random.pick(shapes), this.#mark, guard);
    const path = `/api/v1/namespaces/${key.namespace}/events`;
    const { client } = this.#fixture;
    const { status, json: object } =
      existing === undefined ? await client.send('POST', path, body, json) : await client.send('PUT', `${path}/${key.name}`, body, json);
    if (status === 409) return undefined;
    expectSame(status, existing === undefined ? 201 : 200, `status of a write: ${object.message}`);
    const written = fromWire(object);
    this.#model.note(written.revision, key, written);
    return written.revision;
  }

  async #delete({ namespace, name }: ModelKey): Promise<void> {
    const { status } = await this.#fixture.client.send('DELETE', `/api/v1/namespaces/${namespace}/events/${name}`);
    expectSame(status, 200, 'status of a deletion');
  }

  async #watch(): Promise<void> {
    const { path, select, filter } = this.#place();
    const form = this.#random.chance(0.3) ? onlyMetadata : wholeObjects;
    const watch = new HttpWatch({ fixture: this.#fixture, model: this.#model, path, select, filter, form });
    await this.#begin(watch);
    this.#watches.push(watch);
  }

  async #begin(watch: HttpWatch): Promise<void> {
    const random = this.#random;
    const now = this.#now();
    const version = random.between(this.#oldest, now);
    const future = now + random.between(1, 3);
    const lasting: Query = {
      ...(random.chance(0.2) ? { timeoutSeconds: random.between(1, 120) } : {}),
      ...(random.chance(0.5) ? { allowWatchBookmarks: 'true' } : {}),
    };
    const marked = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };
    const state = { state: { from: now } };
    const ways: [Query, HttpWatchStart][] = [
      [{}, state],
      [{ resourceVersion: 0 }, state],
      [{ resourceVersion: version }, { after: version }],
      [{ resourceVersion: version }, { after: version }],
      [{ resourceVersion: future }, { after: future }],
      [{ ...marked }, state],
      [{ ...marked, resourceVersion: 0 }, state],
      [{ ...marked, resourceVersion: version }, state],
      [{ sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan' }, { after: now }],
    ];
    const [query, start] = random.pick(ways);
    const asked = { ...lasting, ...query };
    if ('state' in start && 'allowWatchBookmarks' in asked && random.chance(0.5)) {
      // concurrent writes: the initial events have one of their revisions, which the bookmark names
      await Promise.all([watch.open(asked, { state: { from: now } }), this.#write()]);
    } else {
      await watch.open(asked, start);
    }
  }

  /** One watcher reads some events, disconnects and resumes. It starts over if its revision is compacted. */
  async #comeBack(): Promise<void> {
    const random = this.#random;
    if (this.#watches.length === 0) return;
    const watch = random.pick(this.#watches);
    await watch.readSome(random.between(0, 10), this.#now());
    const query: Query = random.chance(0.5) ? { allowWatchBookmarks: 'true' } : {};
    if ((await watch.resume(query, this.#oldest)) === 'expired') await this.#begin(watch);
  }

  async #checkOne(): Promise<void> {
    if (this.#watches.length > 0) await this.#random.pick(this.#watches).check(this.#now());
  }

  async #readPages(): Promise<void> {
    const random = this.#random;
    await this.#reader.pages(this.#place(), async () => {
      if (random.chance(0.5)) await this.#write();
      if (random.chance(0.15)) await this.#compact();
      return this.#oldest;
    });
  }

  async #compact(): Promise<void> {
    // most watches catch up first, because a watch that is behind would have to start over
    for (const watch of this.#watches) if (this.#random.chance(0.7)) await watch.check(this.#now());
    const revision = this.#random.between(this.#oldest, this.#now());
    await this.#fixture.server.compact(revision);
    this.#oldest = Math.max(this.#oldest, revision);
  }

  /** Returns a path and a selector, for the query and for the model. */
  #place(): { path: string; select: Query; filter: ModelFilter } {
    const random = this.#random;
    const namespace = random.chance(0.4) ? random.pick(namespaces) : undefined;
    const color = random.chance(0.3) ? random.pick(colors) : undefined;
    const fields: [string, keyof ModelFilter, string][] = [];
    if (random.chance(0.2)) fields.push(['metadata.name', 'name', random.pick(names)]);
    if (random.chance(0.2)) fields.push(['reason', 'shape', random.pick(shapes)]);
    if (namespace === undefined && random.chance(0.2)) {
      fields.push(['metadata.namespace', 'namespace', random.pick(namespaces)]);
    }
    return {
      path: namespace === undefined ? '/api/v1/events' : `/api/v1/namespaces/${namespace}/events`,
      select: {
        ...(color === undefined ? {} : { labelSelector: `color=${color}` }),
        ...(fields.length === 0 ? {} : { fieldSelector: fields.map(([field, , value]) => `${field}=${value}`).join() }),
      },
      filter: {
        ...(namespace === undefined ? {} : { namespace }),
        ...(color === undefined ? {} : { color }),
        ...Object.fromEntries(fields.map(([, key, value]) => [key, value])),
      },
    };
  }
}
