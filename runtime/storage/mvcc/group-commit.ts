import { runNextTurn } from '../../machinery/event-loop/yield.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { Change, KeyValue, Write, WriteResult } from '../kv/engine.ts';
import { checkKey } from './keys.ts';
import { StoredValue } from './stored-value.ts';

/** Where a group commit reads what guards ask for and puts what it decided. */
export interface CommitMedium {
  /** The key as of the last commit, durable or being made so. */
  lookup(key: string): KeyValue | undefined;
  /** Makes all changes durable, or none; called with the next batch only after the last one is settled. */
  commit(changes: readonly Change[]): Promise<void>;
}

interface Pending {
  readonly result: WriteResult;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** As many writes as share one commit at most: it bounds how long the first of them waits for the last. */
const maxBatch = 4096;

/**
 * Turns single guarded writes into durable batches.
 *
 *     write -> guard, next revision -> open batch --(medium idle)--> commit -> listeners -> writers resolve
 *
 * Guards are decided when `write` is called, against the medium and the writes still on their way, so that the
 * revisions are in the order of the calls. While one batch is being committed the next one fills: the slower the
 * disk, the larger the batches.
 *
 * A failing commit fails its batch and everything decided after it, since that may rest on it; their revisions are
 * given out again, for nobody has seen them.
 */
export class GroupCommit {
  readonly #medium: CommitMedium;
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();
  /** Keys that are not yet durable, as they will be; undefined for deleted ones. */
  readonly #underway = new Map<string, { readonly revision: number; readonly state: KeyValue | undefined }>();
  #open: Pending[] = [];
  #assigned: number;
  #durable: number;
  #busy = false;
  #closed: Promise<void> | undefined;
  #onIdle: (() => void)[] = [];
  #failure: StorageError | undefined;

  constructor(medium: CommitMedium, revision: number) {
    this.#medium = medium;
    this.#assigned = revision;
    this.#durable = revision;
  }

  /** The revision of the last durable write. */
  revision(): number {
    return this.#durable;
  }

  onCommit(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws once closed, or once the medium failed for good. */
  checkOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#closed !== undefined) throw new StorageError('unavailable', 'the store is closed');
  }

  async write(write: Write): Promise<WriteResult> {
    this.checkOpen();
    checkKey(write.key);
    const result = this.#decide(write);
    // Nothing on its way: the answer rests on durable state alone.
    if (!result.ok && !this.#busy && this.#open.length === 0) return result;
    return new Promise((resolve, reject) => {
      this.#open.push({ result, resolve, reject });
      if (!this.#busy) this.#start();
    });
  }

  /** Resolves when all writes called before are settled; later ones are refused. */
  close(): Promise<void> {
    this.#closed ??= this.idle();
    return this.#closed;
  }

  /** Resolves when no write is on its way. */
  idle(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Refuses everything from now on: the medium cannot be trusted any more. */
  fail(error: StorageError): void {
    this.#failure = error;
  }

  #decide(write: Write): WriteResult {
    const underway = this.#underway.get(write.key);
    const current = underway === undefined ? this.#medium.lookup(write.key) : underway.state;
    const refused = write.expect !== 'any' && (current?.modRevision ?? 0) !== write.expect;
    if (refused || (write.type === 'delete' && current === undefined)) {
      return { ok: false, ...(current === undefined ? {} : { current }) };
    }
    this.#assigned += 1;
    const revision = this.#assigned;
    const change = write.type === 'put' ? put(write, revision, current) : remove(revision, current as KeyValue);
    this.#underway.set(write.key, { revision, state: write.type === 'put' ? change.current : undefined });
    return { ok: true, change };
  }

  #start(): void {
    this.#busy = true;
    // After the microtasks and the I/O of this turn: writers that go on at once share the commit.
    runNextTurn(() => void this.#run());
  }

  async #run(): Promise<void> {
    const batch = this.#open.length <= maxBatch ? this.#open : this.#open.slice(0, maxBatch);
    this.#open = this.#open.length <= maxBatch ? [] : this.#open.slice(maxBatch);
    const changes: Change[] = [];
    for (const { result } of batch) if (result.ok) changes.push(result.change);
    try {
      if (changes.length > 0) await this.#medium.commit(changes);
    } catch (error) {
      this.#fallBack(batch, error);
      this.#next();
      return;
    }
    this.#publish(changes);
    for (const { result, resolve } of batch) resolve(result);
    this.#next();
  }

  #publish(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#durable = changes[changes.length - 1].revision;
    for (const { key, revision } of changes) {
      if (this.#underway.get(key)?.revision === revision) this.#underway.delete(key);
    }
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        // Ours to report, not to survive silently; the writers still get their answers.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #fallBack(batch: readonly Pending[], cause: unknown): void {
    const error = isStorageError(cause)
      ? cause
      : new StorageError('unavailable', `writing to the store failed: ${(cause as Error)?.message ?? cause}`);
    const after = this.#open;
    this.#open = [];
    this.#underway.clear();
    this.#assigned = this.#durable;
    for (const { reject } of batch) reject(error);
    for (const { reject } of after) reject(error);
  }

  #next(): void {
    if (this.#open.length > 0) {
      this.#start();
      return;
    }
    // Writers that were just answered and write again start the next commit themselves.
    this.#busy = false;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

function put(write: Write & { type: 'put' }, revision: number, previous: KeyValue | undefined): Change {
  const { key, value } = write;
  const createRevision = previous === undefined ? revision : previous.createRevision;
  const current = new StoredValue(key, value, createRevision, revision);
  return previous === undefined
    ? { type: 'put', key, revision, current }
    : { type: 'put', key, revision, current, previous };
}

function remove(revision: number, last: KeyValue): Change {
  return { type: 'delete', key: last.key, revision, current: last, previous: last };
}
