import { type Clock, systemClock } from '../../machinery/clock.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import type { Change, ChangeSummary, Engine, EngineListener, EngineResult, KeyValue, Range, RangeOptions, Write } from './engine.ts';

/** Changes that wait for their values; undefined if changes were lost. */
interface WaitingBatch {
  readonly changes: readonly Change[] | undefined;
  readonly revision: number;
}

/** How long to wait before a value that could not be read is read again, in milliseconds. */
const retryMs = 1000;

/**
 * An engine whose values are something else in the engine below, as encrypted values are: callers see them as they were before.
 * Writes of this process are never read back. Values that other processes wrote are read before listeners hear of them; while
 * that takes long, or fails, later changes wait.
 */
export abstract class ValueEngine implements Engine {
  protected readonly below: Engine;
  readonly #clock: Clock;
  /** The values that are being written, by what they are below. */
  readonly #writing = new Map<Uint8Array, Uint8Array>();
  readonly #listeners = new Set<EngineListener>();
  readonly #stopListening: () => void;
  #known: number;
  #waiting: WaitingBatch[] = [];
  /** Writes that are durable, while their changes wait. */
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

  /** What is stored of a value; the same array if the value is stored as it is. The promise of a write rejects with its errors. */
  protected abstract toStorage(key: string, value: Uint8Array): Uint8Array | Promise<Uint8Array>;

  /**
   * The state with its value; the same object if the value is stored as it is. A value that can never be read is returned as it
   * is in storage, with the reason. Throws or rejects if it cannot be read now, but perhaps later.
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

  /** @param value what was written */
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
        // the changes of a batch that failed, or of a later one
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

  /** The value if it can be had at once. Otherwise as it is in storage. */
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

/** A state that is no longer the newest. Caches know it, so its value is hardly ever read, and is made only then. */
class LazyValue implements KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** In storage. */
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
