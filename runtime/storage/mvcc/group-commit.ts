import { type Clock, systemClock } from '../../machinery/clock.ts';
import { runNextTurn } from '../../machinery/event-loop/yield.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { Change, EngineListener, EngineResult, KeyValue, Write } from '../kv/engine.ts';
import { type Expiring, expiresAt } from './expiry.ts';
import { checkKey } from './keys.ts';
import { StoredValue } from './stored-value.ts';

/** The storage behind a group commit. */
export interface CommitMedium {
  /** Returns the state of the key in the last commit, durable or in progress. */
  lookup(key: string): KeyValue | undefined;
  /** Makes all changes durable, or none. Commits run one at a time. `expiring` are the puts with a ttl. */
  commit(changes: readonly Change[], expiring: readonly Expiring[]): Promise<void>;
}

interface PendingWrite {
  readonly result: EngineResult;
  /** The expiry time of the state, in milliseconds since 1970. */
  readonly expires: number | undefined;
  readonly resolve: (result: EngineResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes for one commit: see `GroupCommit.together`. */
export interface PlannedChanges {
  readonly changes: readonly Change[];
  /** The revision of the last change, or a later one. */
  readonly revision: number;
  readonly expiring?: readonly Expiring[];
}

interface PendingPlan extends PlannedChanges {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The states of keys after the commit of all pending writes; undefined for deleted keys. */
export type PendingStates = ReadonlyMap<string, { readonly state: KeyValue | undefined }>;

/** The most writes in one commit. It limits the wait of the first one for the others. */
const maxBatch = 4096;

/**
 * Commits single conditional writes in durable batches.
 *
 *     write -> check, next revision -> open batch --(medium idle)--> commit -> listeners -> writers resolve
 *
 * `write` checks the expected revision at once, against the medium and the pending writes, so that revisions are in the
 * order of the calls. While one batch is committed, the next one fills: the slower the disk, the larger the batches.
 *
 * If a commit fails, its batch and all later writes fail, since they may depend on it. Their revisions are used again,
 * since no reader has seen them.
 */
export class GroupCommit {
  readonly #medium: CommitMedium;
  readonly #listeners = new Set<EngineListener>();
  /** The future states of keys with pending writes; undefined for deleted keys. */
  readonly #pending = new Map<string, { readonly revision: number; readonly state: KeyValue | undefined }>();
  #open: (PendingWrite | PendingPlan)[] = [];
  #assigned: number;
  #durable: number;
  #busy = false;
  #closed: Promise<void> | undefined;
  #onIdle: (() => void)[] = [];
  #failure: StorageError | undefined;

  readonly #clock: Clock;

  constructor(medium: CommitMedium, revision: number, clock: Clock = systemClock) {
    this.#medium = medium;
    this.#clock = clock;
    this.#assigned = revision;
    this.#durable = revision;
  }

  /** Returns the revision of the last durable write. */
  revision(): number {
    return this.#durable;
  }

  listen(listener: EngineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws if closed, or if the medium has failed for good. */
  checkOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#closed !== undefined) throw new StorageError('unavailable', 'the store is closed');
  }

  async write(write: Write): Promise<EngineResult> {
    this.checkOpen();
    checkKey(write.key);
    const result = this.#check(write);
    // without pending writes, the result only depends on durable state
    if (!result.ok && !this.#busy && this.#open.length === 0) return result;
    const ttlSeconds = write.type === 'put' ? write.ttlSeconds : undefined;
    const expires = ttlSeconds === undefined ? undefined : expiresAt(this.#clock.now(), ttlSeconds);
    return new Promise((resolve, reject) => this.#add({ result, expires, resolve, reject }));
  }

  /**
   * Deletes the existing keys at one revision, and resolves with it. The revision is taken even if no key exists. The
   * medium must support commits with several changes at a revision.
   */
  async deleteTogether(keys: Iterable<string>): Promise<number> {
    const { revision, committed } = this.together((_, next) => {
      const present = [...new Set(keys)].map((key) => this.#stateOf(key)).filter((state) => state !== undefined);
      return { changes: present.map((current) => remove(next, current)), revision: next };
    });
    await committed;
    return revision;
  }

  /**
   * Commits changes that depend on the whole state, without other writes in between.
   *
   * @param plan called at once; its changes take revisions from `next` on
   */
  together(plan: (pending: PendingStates, next: number) => PlannedChanges): {
    readonly revision: number;
    readonly committed: Promise<void>;
  } {
    this.checkOpen();
    const planned = plan(this.#pending, this.#assigned + 1);
    const { changes, revision } = planned;
    this.#assigned = revision;
    for (const { type, key, revision, current } of changes) {
      this.#pending.set(key, { revision, state: type === 'put' ? current : undefined });
    }
    const committed = new Promise<void>((resolve, reject) => this.#add({ ...planned, resolve, reject }));
    return { revision, committed };
  }

  /** Resolves when all pending writes are settled. Later writes are rejected. */
  close(): Promise<void> {
    this.#closed ??= this.idle();
    return this.#closed;
  }

  /** Resolves when no write is pending. */
  idle(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Rejects all later calls with this error: the state of the medium is unknown. */
  fail(error: StorageError): void {
    this.#failure = error;
  }

  #stateOf(key: string): KeyValue | undefined {
    const pending = this.#pending.get(key);
    return pending === undefined ? this.#medium.lookup(key) : pending.state;
  }

  #check(write: Write): EngineResult {
    const current = this.#stateOf(write.key);
    const conflict = write.expect !== 'any' && (current?.modRevision ?? 0) !== write.expect;
    if (conflict || (write.type === 'delete' && current === undefined)) {
      return { ok: false, ...(current === undefined ? {} : { current }) };
    }
    this.#assigned += 1;
    const revision = this.#assigned;
    const change = write.type === 'put' ? put(write, revision, current) : remove(revision, current as KeyValue);
    this.#pending.set(write.key, { revision, state: write.type === 'put' ? change.current : undefined });
    return { ok: true, change };
  }

  #add(pending: PendingWrite | PendingPlan): void {
    this.#open.push(pending);
    if (!this.#busy) this.#start();
  }

  #start(): void {
    this.#busy = true;
    // after the microtasks and I/O of this turn, so that writers that go on at once share the commit
    runNextTurn(() => void this.#run());
  }

  async #run(): Promise<void> {
    const batch = this.#open.length <= maxBatch ? this.#open : this.#open.slice(0, maxBatch);
    this.#open = this.#open.length <= maxBatch ? [] : this.#open.slice(maxBatch);
    const changes: Change[] = [];
    const expiring: Expiring[] = [];
    for (const pending of batch) {
      if ('changes' in pending) {
        for (const change of pending.changes) changes.push(change);
        for (const entry of pending.expiring ?? []) expiring.push(entry);
      } else if (pending.result.ok) {
        const { change } = pending.result;
        changes.push(change);
        const { expires } = pending;
        if (expires !== undefined) expiring.push({ key: change.key, modRevision: change.revision, expires });
      }
    }
    try {
      if (changes.length > 0) await this.#medium.commit(changes, expiring);
    } catch (error) {
      this.#failBatch(batch, error);
      this.#next();
      return;
    }
    this.#publish(changes, lastRevision(batch));
    for (const pending of batch) {
      if ('changes' in pending) pending.resolve();
      else pending.resolve(pending.result);
    }
    this.#next();
  }

  /** @param revision of the last change, or a later revision without changes; 0 if there are no changes */
  #publish(changes: readonly Change[], revision: number): void {
    if (revision === 0) return;
    this.#durable = revision;
    for (const { key, revision } of changes) {
      if (this.#pending.get(key)?.revision === revision) this.#pending.delete(key);
    }
    for (const listener of this.#listeners) {
      try {
        listener.onCommit(changes);
      } catch (error) {
        // a bug: report it as an uncaught exception, but let the writers resolve
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #failBatch(batch: readonly (PendingWrite | PendingPlan)[], cause: unknown): void {
    const error = isStorageError(cause)
      ? cause
      : new StorageError('unavailable', `writing to the store failed: ${(cause as Error)?.message ?? cause}`);
    const after = this.#open;
    this.#open = [];
    this.#pending.clear();
    this.#assigned = this.#durable;
    for (const { reject } of batch) reject(error);
    for (const { reject } of after) reject(error);
  }

  #next(): void {
    if (this.#open.length > 0) {
      this.#start();
      return;
    }
    // writers that write again start the next commit
    this.#busy = false;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}

/** The newest revision of a batch; 0 if all its writes were rejected. */
function lastRevision(batch: readonly (PendingWrite | PendingPlan)[]): number {
  const last = batch.findLast((pending) => 'changes' in pending || pending.result.ok);
  if (last === undefined) return 0;
  if ('changes' in last) return last.revision;
  return last.result.ok ? last.result.change.revision : 0;
}

function put(write: Write & { type: 'put' }, revision: number, previous: KeyValue | undefined): Change {
  const { key, value } = write;
  const createRevision = previous === undefined ? revision : previous.createRevision;
  const current = new StoredValue(key, value, createRevision, revision);
  return previous === undefined ? { type: 'put', key, revision, current } : { type: 'put', key, revision, current, previous };
}

function remove(revision: number, last: KeyValue): Change {
  return { type: 'delete', key: last.key, revision, current: last, previous: last };
}
