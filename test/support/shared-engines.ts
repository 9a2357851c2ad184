import { runNextTurn, yieldToEventLoop } from '../../runtime/machinery/event-loop/yield.ts';
import { StorageError } from '../../runtime/storage/errors.ts';
import type {
  Change,
  ChangeSummary,
  Engine,
  EngineListener,
  EngineResult,
  KeyValue,
  Range,
  RangeOptions,
  Write,
} from '../../runtime/storage/kv/engine.ts';
import { createMemoryEngine, type MemoryEngine } from '../../runtime/storage/memory/memory-engine.ts';
import { checkNotCompacted } from '../../runtime/storage/mvcc/readable.ts';
import { StoredValue } from '../../runtime/storage/mvcc/stored-value.ts';

/** Several engines over one store in memory, like those of several processes. */
export interface SharedMemory {
  /** The store itself. */
  readonly memory: MemoryEngine;
  readonly engines: readonly SharedEngine[];
}

export function createMemoryEngines(count: number): SharedMemory {
  const memory = createMemoryEngine();
  return { memory, engines: Array.from({ length: count }, () => new SharedEngine(memory)) };
}

/**
 * One of several engines of a store. Reads take a turn of the event loop, and the test decides when commits are
 * delivered.
 */
export class SharedEngine implements Engine {
  readonly isShared = true;
  readonly #store: Engine;
  readonly #listeners = new Set<EngineListener>();
  readonly #stop: () => void;
  #held: { readonly changes: readonly Change[]; readonly revision: number }[] | undefined;
  #delivers = false;
  #revision: number;
  #heard: { readonly revision: number; readonly resolve: () => void }[] = [];
  readonly #writes = new Set<Promise<EngineResult>>();
  #closed: Promise<void> | undefined;

  constructor(store: Engine) {
    this.#store = store;
    this.#revision = store.revision();
    this.#stop = store.listen({
      onCommit: (changes) => this.#onCommit({ changes: changes.map(copyOf), revision: store.revision() }),
      onLost: () => this.#onLost(),
    });
  }

  /** Withholds commits from listeners, and the results of this engine's writes, until `deliver` or `lose`. */
  hold(): void {
    this.#delivers = false;
    this.#held ??= [];
  }

  /** Delivers the withheld batches to listeners, or the first `count` of them. */
  deliver(count = Number.POSITIVE_INFINITY): void {
    const held = this.#held ?? [];
    for (const batch of held.splice(0, count)) this.#publish(batch);
    if (held.length === 0 && count === Number.POSITIVE_INFINITY) this.#held = undefined;
  }

  /** Delivers withheld batches at the next request for the newest revision, or at the next write. */
  deliverWhenAsked(): void {
    this.#delivers = true;
  }

  /** Compacts the withheld commits before any listener receives them. */
  async lose(): Promise<void> {
    await this.#store.compact(this.#store.revision());
    this.#held = undefined;
    this.#onLost();
  }

  revision(): number {
    return this.#revision;
  }

  async currentRevision(): Promise<number> {
    this.#checkOpen();
    const revision = this.#store.revision();
    if (this.#delivers) runNextTurn(() => this.deliver());
    return revision;
  }

  compactedRevision(): number {
    return this.#store.compactedRevision();
  }

  async get(key: string, revision?: number): Promise<KeyValue | undefined> {
    this.#checkOpen();
    await yieldToEventLoop();
    const stored = await this.#store.get(key, revision);
    return stored && copied(stored);
  }

  async range(start: string, end: string, options?: RangeOptions): Promise<Range> {
    this.#checkOpen();
    // a real engine rejects a revision that it knows to be compacted, without a request
    if (options?.revision !== undefined) checkNotCompacted(options.revision, this.compactedRevision());
    await yieldToEventLoop();
    const range = await this.#store.range(start, end, options);
    return { ...range, items: range.items.map(copied) };
  }

  async write(write: Write): Promise<EngineResult> {
    this.#checkOpen();
    const writing = this.#write(write);
    this.#writes.add(writing);
    return writing.finally(() => this.#writes.delete(writing));
  }

  async #write(write: Write): Promise<EngineResult> {
    const result = await this.#store.write(write);
    if (!result.ok) return result.current === undefined ? result : { ok: false, current: copied(result.current) };
    const change = copyOf(result.change);
    if (this.#delivers) this.deliver();
    await this.#hasHeard(change.revision);
    return { ok: true, change };
  }

  /** Returns whole changes, because this engine has the values. */
  async changes(revision: number, limit: number): Promise<readonly (Change | ChangeSummary)[]> {
    this.#checkOpen();
    const summaries = await this.#store.changes(revision, limit);
    const changes = await Promise.all(summaries.map((summary) => this.#whole(summary as ChangeSummary)));
    checkNotCompacted(revision, this.#store.compactedRevision());
    return changes;
  }

  listen(listener: EngineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    await this.#store.compact(revision);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.deliver();
    await Promise.allSettled(this.#writes);
    this.#stop();
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new StorageError('unavailable', 'the store is closed');
  }

  #onCommit(batch: { readonly changes: readonly Change[]; readonly revision: number }): void {
    if (this.#held === undefined) this.#publish(batch);
    else this.#held.push(batch);
  }

  #publish({ changes, revision }: { readonly changes: readonly Change[]; readonly revision: number }): void {
    this.#revision = revision;
    for (const listener of this.#listeners) listener.onCommit(changes);
    this.#settle();
  }

  #onLost(): void {
    this.#revision = this.#store.revision();
    for (const listener of this.#listeners) listener.onLost();
    this.#settle();
  }

  async #hasHeard(revision: number): Promise<void> {
    if (revision > this.#revision) await new Promise<void>((resolve) => this.#heard.push({ revision, resolve }));
  }

  #settle(): void {
    const heard = this.#heard;
    this.#heard = heard.filter(({ revision }) => revision > this.#revision);
    for (const { revision, resolve } of heard) if (revision <= this.#revision) resolve();
  }

  async #whole({ type, key, revision, hasPrevious }: ChangeSummary): Promise<Change> {
    const previous = hasPrevious ? await this.get(key, revision - 1) : undefined;
    const current = (type === 'delete' ? previous : await this.get(key, revision)) as KeyValue;
    return { type, key, revision, current, ...(previous === undefined ? {} : { previous }) };
  }
}

/** Copies values: object stores move the bytes of a state to their own memory, so they must not share states. */
function copied({ key, value, createRevision, modRevision }: KeyValue): StoredValue {
  return new StoredValue(key, value, createRevision, modRevision);
}

function copyOf({ type, key, revision, current, previous }: Change): Change {
  const change = { type, key, revision, current: copied(current) };
  return previous === undefined ? change : { ...change, previous: copied(previous) };
}
