import type { ObjectFixture, Query } from '../support/object-fixture.ts';
import type { WatchEvent, WatchStream } from '../support/watch-stream.ts';
import { expectSame } from './checks.ts';
import { type Form, fromWire, projected } from './http-wire.ts';
import type { ModelEvent, ModelFilter, ModelObject, StoreModel } from './store-model.ts';

const endOfState = 'k8s.io/initial-events-end';
/** Real time, so that a missing event becomes an error with its seed. */
const patienceMs = 120_000;

export interface HttpWatchParts {
  readonly fixture: ObjectFixture;
  readonly model: StoreModel;
  readonly path: string;
  /** Selectors for the query. */
  readonly select: Query;
  readonly filter: ModelFilter;
  readonly form: Form;
}

/**
 * The start of a watch: after a revision, or with initial events no older than one. Without bookmarks, no writes may
 * happen until it has started: its initial events are then of that revision.
 */
export type HttpWatchStart = { readonly after: number } | { readonly state: { readonly from: number } };

/** A client's watch over several connections, with the model's expected events. */
export class HttpWatch {
  readonly #parts: HttpWatchParts;
  #stream: WatchStream | undefined;
  #after = 0;
  /** The minimum revision of the current initial events. */
  #state: { readonly from: number } | undefined;
  #stateSeen: ModelObject[] = [];
  #seen: ModelEvent[] = [];
  /** The newest revision from which the client may resume. */
  #last = 0;
  /** A bookmark marks the end of the initial events. */
  #marked = false;

  constructor(parts: HttpWatchParts) {
    this.#parts = parts;
  }

  async open(query: Query, start: HttpWatchStart): Promise<void> {
    this.#stateSeen = [];
    this.#seen = [];
    this.#marked = 'allowWatchBookmarks' in query;
    if ('after' in start) {
      this.#after = start.after;
      this.#last = start.after;
      this.#state = undefined;
    } else {
      this.#state = start.state;
    }
    await this.#connect(query);
    this.#endUnmarkedState();
  }

  async #connect(query: Query): Promise<void> {
    const { fixture, path, select, form } = this.#parts;
    this.#stream = await fixture.watch(path, { ...query, ...select }, { accept: form.accept });
    expectSame(this.#stream.status, 200, 'status of a watch');
  }

  /** Disconnects at any point. */
  hangUp(): void {
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Reads a few of the expected events. */
  async readSome(count: number, upTo: number): Promise<void> {
    await this.#read(upTo, count);
  }

  /** Reads and compares the expected events until `upTo`. A watch that ended by itself has sent only some. */
  async check(upTo: number): Promise<void> {
    await this.#read(upTo, Number.POSITIVE_INFINITY);
    if (this.#state !== undefined) return;
    const { model, filter, form } = this.#parts;
    const expected = model.events(this.#after, upTo, filter);
    const want = this.#stream === undefined ? expected.slice(0, this.#seen.length) : expected;
    expectSame(this.#seen, projected(want, form), `events after ${this.#after}`);
  }

  /** Checks that only bookmarks still arrive. */
  async checkEnd(): Promise<void> {
    const rest = (await this.#stream?.rest()) ?? [];
    expectSame(
      rest.filter(({ type }) => type !== 'BOOKMARK'),
      [],
      'events after the last one',
    );
    this.#stream = undefined;
  }

  /** Resumes from its last revision. If that is compacted, the watch fails, and must start over. */
  async resume(query: Query, oldest: number): Promise<'resumed' | 'expired'> {
    this.hangUp();
    if (this.#state !== undefined) return 'expired';
    await this.#connect({ ...query, resourceVersion: this.#last });
    if (this.#last >= oldest) return 'resumed';
    const events = (await this.#stream?.rest()) ?? [];
    expectSame(
      events.map(({ type, object }) => [type, object.reason, object.code]),
      [['ERROR', 'Expired', 410]],
      `a watch from ${this.#last}, compacted`,
    );
    this.#stream = undefined;
    return 'expired';
  }

  async #read(upTo: number, most: number): Promise<void> {
    for (let count = 0; count < most && this.#isBehind(upTo); count++) {
      const event = await this.#next();
      // a timeout or a disconnection by the server counts as a disconnection
      if (event === undefined) this.#stream = undefined;
      else this.#take(event, upTo);
    }
  }

  #isBehind(upTo: number): boolean {
    if (this.#stream === undefined) return false;
    if (this.#state !== undefined) return true;
    const { model, filter } = this.#parts;
    return this.#seen.length < model.events(this.#after, upTo, filter).length;
  }

  #take({ type, object }: WatchEvent, upTo: number): void {
    const { form } = this.#parts;
    const revision = Number(object.metadata?.resourceVersion);
    if (type === 'BOOKMARK') {
      this.#takeBookmark(revision, object.metadata.annotations?.[endOfState] === 'true', upTo);
    } else if (type === 'ERROR') {
      throw new Error(`an error in a watch after ${this.#last}: ${JSON.stringify(object)}`);
    } else if (this.#state !== undefined) {
      expectSame(type, 'ADDED', 'type of an event of the state');
      this.#stateSeen.push(fromWire(object, form));
      this.#endUnmarkedState();
    } else {
      if (revision <= this.#last) throw new Error(`an event of ${revision} after ${this.#last}`);
      this.#last = revision;
      this.#seen.push({ type: type as ModelEvent['type'], revision, object: fromWire(object, form) });
    }
  }

  #takeBookmark(revision: number, isEnd: boolean, upTo: number): void {
    const { model, filter, form } = this.#parts;
    if (revision > upTo) throw new Error(`a bookmark of ${revision} at ${upTo}`);
    if (isEnd) {
      const { from } = this.#state ?? { from: Number.POSITIVE_INFINITY };
      if (revision < from) throw new Error(`a state of ${revision}, older than ${from}`);
      expectSame(this.#stateSeen, projected(model.at(revision, filter), form), `state at ${revision}`);
      this.#state = undefined;
      this.#after = revision;
    } else {
      // earlier events were sent before
      const expected = model.events(this.#after, revision, filter).length;
      expectSame(this.#seen.length, expected, `events before the bookmark of ${revision}`);
    }
    if (revision < this.#last) throw new Error(`a bookmark of ${revision} after ${this.#last}`);
    this.#last = revision;
  }

  /** Ends the initial events at a known revision, which need no bookmark. */
  #endUnmarkedState(): void {
    if (this.#state === undefined || this.#marked) return;
    const { from } = this.#state;
    const { model, filter, form } = this.#parts;
    const want = projected(model.at(from, filter), form);
    if (this.#stateSeen.length < want.length) return;
    expectSame(this.#stateSeen, want, `state at ${from}`);
    this.#state = undefined;
    this.#after = from;
    this.#last = from;
  }

  async #next(): Promise<WatchEvent | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no event after ${this.#last}, where there should be`)), patienceMs);
    });
    try {
      return await Promise.race([this.#stream?.next(), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
