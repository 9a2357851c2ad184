import { type Clock, systemClock } from '../../machinery/clock.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import type { Change, ChangeSummary, Engine, EngineListener, EngineResult, KeyValue, Range, RangeOptions, Write } from './engine.ts';

/** Changes that wait for their values; undefined for lost changes. */
interface WaitingBatch {
  readonly changes: readonly Change[] | undefined;
  readonly revision: number;
}

/** Milliseconds before a failed read of a value is repeated. */
const retryMs = 1000;

/**
 * An engine that transforms values, for example encrypts them, between its callers and the engine below. Writes of this
 * process are never read back. Values from other processes are read before listeners get their changes; slow or failed
 * reads delay later changes.
 */
export abstract class ValueEngine implements Engine {
  protected readonly below: Engine;
  readonly #clock: Clock;
  /** The values being written, by their stored form. */
  readonly #writing = new Map<Uint8Array, Uint8Array>();
  readonly #listeners = new Set<EngineListener>();
  readonly #stopListening: () => void;
  #known: number;
  #waiting: WaitingBatch[] = [];
  /** Durable writes whose changes wait. */
  #writers: { readonly revision: number; readonly resolve: () => void }[] = [];
  #isClosed = false;

  constructor(below: Engine, clock: Clock = systemClock) {
    this.below = below;
    this.#clock = clock;
    this.#known = below.revision();
    this.#stopListening = below.listen({
      onCommit: (changes) => this.#onCommit(changes),
      onLost: () => this.#onLost(),
    });
  }

  /**
   * Returns the stored form of a value; the same array if that is the value itself. Its errors become errors of the
   * write.
   */
  protected abstract toStorage(key: string, value: Uint8Array): Uint8Array | Promise<Uint8Array>;

  /**
   * Returns the state with its value; the same object if the value is stored unchanged. A value that can never be read
   * keeps its stored form, with the reason. Throws or rejects if a later attempt may succeed.
   */
  protected abstract fromStorage(stored: KeyValue): KeyValue | Promise<KeyValue>;

  get isShared(): boolean {
    return this.below.isShared ?? false;
  }

  get isVerified(): boolean {
    return this.below.isVerified ?? false;
  }

  get limitsRequests(): boolean {
    return this.below.limitsRequests ?? false;
  }

  revision(): number {
    return this.#waiting.length === 0 ? this.below.revision() : this.#known;
  }

  currentRevision(): number | Promise<number> {
    return this.below.currentRevision();
  }

  compactedRevision(): number {
    return this.below.compactedRevision();
  }

  async get(key: string, revision?: number): Promise<KeyValue | undefined> {
    const stored = await this.below.get(key, revision);
    return stored && this.fromStorage(stored);
  }

  async range(start: string, end: string, options: RangeOptions = {}): Promise<Range> {
    const { allocate, ...others } = options;
    const range = await this.below.range(start, end, others);
    const items: KeyValue[] = [];
    const slice = new TimeSlice();
    for (const stored of range.items) {
      const item = await this.fromStorage(stored);
      items.push(allocate === undefined ? item : copied(item, allocate));
      if (slice.isOver) await slice.next();
    }
    return { ...range, items };
  }

  async write(write: Write): Promise<EngineResult> {
    if (write.type === 'delete') return this.#written(await this.below.write(write), undefined);
    const sealed = this.toStorage(write.key, write.value);
    const value = sealed instanceof Promise ? await sealed : sealed;
    if (value === write.value) return this.#written(await this.below.write(write), write.value);
    this.#writing.set(value, write.value);
    try {
      return await this.#written(await this.below.write({ ...write, value }), write.value);
    } finally {
      this.#writing.delete(value);
    }
  }

  async changes(revision: number, limit: number): Promise<readonly (Change | ChangeSummary)[]> {
    const changes = await this.below.changes(revision, limit);
    return Promise.all(changes.map((change) => ('size' in change ? change : this.#opened(change))));
  }

  listen(listener: EngineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  compact(revision: number): Promise<void> {
    return this.below.compact(revision);
  }

  async close(): Promise<void> {
    await this.below.close();
    this.#isClosed = true;
    this.#stopListening();
    for (const { resolve } of this.#writers) resolve();
  }

  /** @param value the written value */
  async #written(result: EngineResult, value: Uint8Array | undefined): Promise<EngineResult> {
    if (!result.ok) return result.current === undefined ? result : { ok: false, current: await this.fromStorage(result.current) };
    const { change } = result;
    if (change.revision > this.revision()) {
      await new Promise<void>((resolve) => this.#writers.push({ revision: change.revision, resolve }));
    }
    const previous = change.previous && this.#lazy(change.previous);
    return { ok: true, change: { ...change, current: this.#currentOf(change, value), ...(previous && { previous }) } };
  }

  #onCommit(changes: readonly Change[]): void {
    const revision = this.below.revision();
    if (this.#waiting.length > 0) {
      this.#waiting.push({ changes, revision });
      return;
    }
    const opened = changes.map((change) => this.#opened(change));
    if (opened.every(isKnown)) {
      this.#publish(opened, revision);
      return;
    }
    this.#waiting.push({ changes, revision });
    for (const change of opened) if (!isKnown(change)) change.catch(() => undefined);
    void this.#deliverWaiting(opened);
  }

  #onLost(): void {
    const revision = this.below.revision();
    if (this.#waiting.length > 0) this.#waiting.push({ changes: undefined, revision });
    else this.#publish(undefined, revision);
  }

  /** @param first the changes of the first batch */
  async #deliverWaiting(first: readonly (Change | Promise<Change>)[]): Promise<void> {
    let opened: readonly (Change | Promise<Change>)[] | undefined = first;
    while (!this.#isClosed) {
      const next = this.#waiting[0];
      if (next === undefined) return;
      const { changes, revision } = next;
      try {
        // the changes of a failed batch, or of a later one
        opened ??= changes?.map((change) => this.#opened(change));
        const known = opened && (await Promise.all(opened));
        this.#waiting.shift();
        this.#publish(known, revision);
        if (this.#waiting.length === 0) return;
      } catch {
        await new Promise<void>((resolve) => this.#clock.after(retryMs, resolve));
      }
      opened = undefined;
    }
  }

  #publish(changes: readonly Change[] | undefined, revision: number): void {
    this.#known = revision;
    for (const listener of this.#listeners) {
      if (changes === undefined) listener.onLost();
      else listener.onCommit(changes);
    }
    if (this.#writers.length === 0) return;
    const writers = this.#writers;
    this.#writers = writers.filter((writer) => writer.revision > revision);
    for (const writer of writers) if (writer.revision <= revision) writer.resolve();
  }

  #opened(change: Change): Change | Promise<Change> {
    const previous = change.previous && this.#lazy(change.previous);
    const withCurrent = (current: KeyValue): Change => ({ ...change, current, ...(previous && { previous }) });
    if (change.type === 'delete') return withCurrent(previous ?? this.#lazy(change.current));
    const written = this.#writing.get(change.current.value);
    if (written !== undefined) return withCurrent(this.#currentOf(change, written));
    const current = this.fromStorage(change.current);
    return current instanceof Promise ? current.then(withCurrent) : withCurrent(current);
  }

  #currentOf({ type, key, current }: Change, value: Uint8Array | undefined): KeyValue {
    if (type === 'delete' || value === undefined) return this.#lazy(current);
    if (value === current.value) return current;
    return new StoredValue(key, value, current.createRevision, current.modRevision);
  }

  #lazy(stored: KeyValue): KeyValue {
    return new LazyValue(stored, () => this.#tryFromStorage(stored));
  }

  /** Returns the value if it is available at once, else its stored form. */
  #tryFromStorage(stored: KeyValue): Uint8Array {
    try {
      const opened = this.fromStorage(stored);
      if (!(opened instanceof Promise)) return opened.value;
      opened.catch(() => undefined);
      return stored.value;
    } catch {
      return stored.value;
    }
  }
}

/** An outdated state. Its value is computed on demand, which is rare because caches have it. */
class LazyValue implements KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** The length of the stored form. */
  readonly length: number;
  readonly #open: () => Uint8Array;

  constructor(stored: KeyValue, open: () => Uint8Array) {
    this.key = stored.key;
    this.createRevision = stored.createRevision;
    this.modRevision = stored.modRevision;
    this.length = stored.value.length;
    this.#open = open;
  }

  get value(): Uint8Array {
    return this.#open();
  }
}

function isKnown(change: Change | Promise<Change>): change is Change {
  return !(change instanceof Promise);
}

function copied(item: KeyValue, allocate: (size: number) => Uint8Array): KeyValue {
  const value = allocate(item.value.length);
  value.set(item.value);
  const { key, createRevision, modRevision, transformError, decodeError } = item;
  return { key, value, createRevision, modRevision, transformError, decodeError };
}
