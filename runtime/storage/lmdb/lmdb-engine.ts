import { systemClock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { pendingWork } from '../../machinery/event-loop/pending-work.ts';
import { type Logger, silentLogger } from '../../machinery/logger.ts';
import { StorageError } from '../errors.ts';
import type { Change, ChangeSummary, Engine, EngineListener, EngineResult, KeyValue, Range, RangeOptions, Write } from '../kv/engine.ts';
import { type Expiring, KeyExpiry } from '../mvcc/expiry.ts';
import { GroupCommit } from '../mvcc/group-commit.ts';
import { checkNotCompacted, checkNotFuture, checkReadable } from '../mvcc/readable.ts';
import { valueLength } from '../mvcc/stored-value.ts';
import { type BatchedWrite, CommitError, commit } from './commit.ts';
import { DiskSpace } from './disk-space.ts';
import { type Environment, type LmdbOptions, openEnvironment } from './environment.ts';
import { encodeExpiry, expiryKey, firstExpiry, readExpired } from './expiry.ts';
import { PlaceWatch } from './place-watch.ts';
import { ReadBuffers } from './read-buffers.ts';
import { RecordArena } from './record-arena.ts';
import { encodeHistoryKey, encodeLogRecord, encodeRevision, encodeStateRef, type LogRecord, type StateRef } from './records.ts';
import { Reopener } from './reopener.ts';
import { metaKeys, newestStates, putMeta, readRevisions, readState, readSummary, stateAt, statesAt } from './states.ts';
import { sweep } from './sweep.ts';
import { Writability } from './writability.ts';

const noBytes = new Uint8Array(0);
/** The most logged lost objects. `store check` reports them all. */
const maxLogged = 1000;

/**
 * Opens the embedded engine on disk.
 *
 * @throws StorageError `unavailable` if another process has the directory open or it cannot be written, `corrupt` if
 *   it is not a store
 */
export async function openLmdbEngine(options: LmdbOptions): Promise<LmdbEngine> {
  const engine = new LmdbEngine(await openEnvironment(options), options);
  await engine.start();
  return engine;
}

export class LmdbEngine implements Engine {
  readonly isVerified = true;
  readonly #environment: Environment;
  readonly #commits: GroupCommit;
  readonly #closing = new AbortController();
  /** The last revision passed to LMDB. It is newer than the durable one during a commit. */
  #committing: number;
  #compacted: number;
  #sweeping: Promise<void> = Promise.resolve();
  #sweeps = 0;
  readonly #arena = new RecordArena();
  #closed: Promise<void> | undefined;
  readonly #reopener: Reopener;
  readonly #place: PlaceWatch;
  readonly #writability: Writability;
  readonly #space: DiskSpace;
  readonly #expiry: KeyExpiry;
  /** Whether a sweep failed. */
  #isUnswept = false;
  readonly #logger: Logger;
  /** Keys of damaged states that were logged. */
  readonly #logged = new Set<string>();

  constructor(environment: Environment, options: LmdbOptions) {
    const { reopen = { bytes: 4 * 2 ** 20, ms: 500 }, logger = silentLogger, clock = systemClock, lookMs = 1000 } = options;
    const { compacted, newest } = readRevisions(environment);
    this.#environment = environment;
    this.#space = new DiskSpace(environment, environment.dir, environment.dataPath);
    this.#logger = logger;
    this.#reopener = new Reopener({
      after: reopen,
      isBusy: () => this.#sweeps > 0,
      reopen: () => this.#reopen(),
    });
    this.#place = new PlaceWatch(environment.dir, () => environment.loss(), lookMs);
    this.#writability = new Writability({
      dir: environment.dir,
      place: this.#place,
      clock,
      logger,
      retry: () => (this.#isUnswept ? this.#sweep() : this.#space.check()),
    });
    this.#compacted = compacted;
    this.#committing = newest;
    this.#commits = new GroupCommit(
      { lookup: (key) => this.#lookup(key), commit: (...batch) => pendingWork.await(this.#commit(...batch)) },
      newest,
      clock,
    );
    this.#expiry = new KeyExpiry({
      clock,
      index: {
        first: async () => firstExpiry(await this.#opened()),
        due: async (now, limit) => readExpired(await this.#opened(), now, limit),
        remove: (entries) => this.#removeExpired(entries),
      },
      write: (write) => this.write(write),
    });
  }

  /** Starts the deletion of expired keys. */
  start(): Promise<void> {
    return this.#expiry.start();
  }

  /**
   * Resolves when the directory was moved, removed or taken by another process. The engine writes nothing after that.
   */
  get lost(): Promise<StorageError> {
    return this.#place.lost;
  }

  revision(): number {
    return this.#commits.revision();
  }

  /** Returns the newest revision: no other process writes to the store. */
  currentRevision(): number {
    return this.revision();
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  async get(key: string, revision = this.revision()): Promise<KeyValue | undefined> {
    if (this.#reopener.inProgress !== undefined) await this.#reopener.inProgress;
    this.#checkReadable(revision);
    this.#reopener.recordUse();
    const ref = stateAt(this.#environment, key, revision);
    return ref === undefined ? undefined : this.#readState(key, ref);
  }

  async range(from: string, to: string, options: RangeOptions = {}): Promise<Range> {
    const [start, end] = [bound(from), bound(to)];
    const { limit = Number.POSITIVE_INFINITY, revision = this.revision() } = options;
    if (this.#reopener.inProgress !== undefined) await this.#reopener.inProgress;
    this.#checkReadable(revision);
    const items: KeyValue[] = [];
    if (start >= end && Buffer.compare(Buffer.from(start), Buffer.from(end)) >= 0) {
      return { items, more: false, revision };
    }
    const states =
      revision >= this.#committing ? newestStates(this.#environment, start, end) : statesAt(this.#environment, start, end, revision);
    const { allocate = new ReadBuffers().allocate } = options;
    this.#reopener.recordUse();
    for (const { key, ref } of states) {
      if (items.length >= limit) return { items, more: true, revision };
      items.push(this.#readState(key.toString('utf8'), ref, allocate));
    }
    return { items, more: false, revision };
  }

  /** Throws `unavailable` while writes fail, because the disk is full or the directory is gone. */
  checkWritable(): void {
    const { failure } = this.#writability;
    if (failure !== undefined) throw failure;
  }

  write(write: Write): Promise<EngineResult> {
    const refusal = this.#writability.refusal(write.type);
    if (refusal !== undefined) return Promise.reject(refusal);
    const reopening = this.#reopener.inProgress;
    if (reopening !== undefined) return reopening.then(() => this.#commits.write(write));
    return this.#commits.write(write);
  }

  async changes(revision: number, limit: number): Promise<readonly ChangeSummary[]> {
    if (this.#reopener.inProgress !== undefined) await this.#reopener.inProgress;
    this.#commits.checkOpen();
    checkNotCompacted(revision, this.#compacted);
    const summaries: ChangeSummary[] = [];
    this.#reopener.recordUse();
    const end = Math.min(revision + limit, this.revision());
    for (let at = revision + 1; at <= end; at += 1) {
      const summary = readSummary(this.#environment, at);
      if (summary === undefined) {
        this.#endHistory(at);
        checkNotCompacted(revision, this.#compacted);
        return summaries;
      }
      summaries.push(summary);
    }
    return summaries;
  }

  /** The history must not have a gap: clients that followed it list again. */
  #endHistory(revision: number): void {
    this.#logger.error({ revision }, 'a change in the data file is missing or damaged: older revisions cannot be read');
    // only frees disk space
    this.compact(this.revision()).catch(() => undefined);
  }

  listen(listener: EngineListener): () => void {
    return this.#commits.listen(listener);
  }

  async compact(revision: number): Promise<void> {
    if (this.#reopener.inProgress !== undefined) await this.#reopener.inProgress;
    this.#commits.checkOpen();
    checkNotFuture(revision, this.revision());
    if (revision - 1 <= this.#compacted) return this.#sweeping;
    this.#compacted = revision - 1;
    return this.#sweep();
  }

  /** Removes compacted history. A failed sweep is repeated. */
  #sweep(): Promise<void> {
    this.#sweeps += 1;
    this.#sweeping = this.#sweeping
      .catch(() => undefined)
      .then(async () => {
        const compacted = this.#compacted;
        this.#isUnswept = true;
        await this.#free(1, (track) => track(putMeta(this.#environment, metaKeys.compacted, compacted)));
        // a full disk has no room for the pages of many changes
        const chunk = this.#writability.failure === undefined ? 100 : 5;
        const free = this.#free.bind(this);
        await sweep(this.#environment, { oldest: compacted + 1, chunk, commit: free, stop: this.#closing.signal });
        this.#isUnswept = false;
      })
      .catch((error: unknown) => {
        if (error instanceof CommitError) this.#writability.failed(error);
        throw error;
      })
      .finally(() => {
        this.#sweeps -= 1;
        this.#reopener.recordUse();
      });
    return this.#sweeping;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#reopener.close();
    this.#place.close();
    if (this.#reopener.inProgress !== undefined) await this.#reopener.inProgress;
    const closed = this.#commits.close();
    await this.#expiry.close();
    await closed;
    this.#closing.abort();
    await this.#writability.close();
    await this.#sweeping.catch(() => undefined);
    await this.#environment.close(this.#usedBytes());
  }

  /** Returns undefined if the file could not be reopened. */
  #usedBytes(): number | undefined {
    try {
      return this.#space.usedBytes();
    } catch {
      return undefined;
    }
  }

  #checkReadable(revision: number): void {
    this.#commits.checkOpen();
    checkReadable(revision, this.#compacted, this.revision());
  }

  /** Reopens the file after earlier calls. Later calls wait. */
  async #reopen(): Promise<void> {
    await this.#commits.idle();
    await this.#sweeping.catch(() => undefined);
    try {
      await this.#environment.reopen();
    } catch (error) {
      this.#commits.fail(new StorageError('unavailable', `the store cannot be opened again: ${messageOf(error)}`));
    }
  }

  #lookup(key: string): KeyValue | undefined {
    const ref = stateAt(this.#environment, key, Number.MAX_SAFE_INTEGER - 1);
    return ref === undefined ? undefined : this.#readState(key, ref);
  }

  #readState(key: string, ref: StateRef, allocate?: (size: number) => Uint8Array): KeyValue {
    const state = readState(this.#environment, key, ref, allocate);
    if (state.transformError !== undefined && !this.#logged.has(key) && this.#logged.size < maxLogged) {
      this.#logged.add(key);
      this.#logger.error({ key, revision: ref.modRevision }, `an object is lost: ${state.transformError}`);
    }
    return state;
  }

  /** Returns the environment after a running reopening. */
  async #opened(): Promise<Environment> {
    if (this.#reopener.inProgress !== undefined) await this.#reopener.inProgress;
    this.#commits.checkOpen();
    this.#reopener.recordUse();
    return this.#environment;
  }

  async #removeExpired(entries: readonly Expiring[]): Promise<void> {
    const { expiry } = await this.#opened();
    await this.#free(entries.length, (track) => {
      for (const { expires, modRevision } of entries) track(expiry.remove(expiryKey(expires, modRevision)));
    });
  }

  async #commit(changes: readonly Change[], expiring: readonly Expiring[]): Promise<void> {
    const { root, meta, dir } = this.#environment;
    this.#place.check();
    this.#reopener.recordUse();
    const frees = changes.every(({ type }) => type === 'delete');
    const bytes = frees ? 0 : changes.reduce((sum, { current }) => sum + valueLength(current), 0);
    try {
      await this.#space.run({ changes: changes.length + expiring.length, bytes, frees }, () => {
        this.#committing = elementAt(changes, changes.length - 1).revision;
        return commit(root, dir, (track) => {
          const expires = expiring.length === 0 ? undefined : new Map(expiring.map((one) => [one.modRevision, one.expires]));
          for (const change of changes) this.#put(change, expires?.get(change.revision), track);
        });
      });
    } catch (error) {
      this.#arena.abandon();
      this.#afterFailure(error as CommitError);
      throw error;
    }
    // deletions succeed on a full disk longer than other writes
    if (!frees) this.#writability.succeeded();
    for (const { expires } of expiring) this.#expiry.added(expires);
    meta.resetReadTxn();
    this.#arena.reset();
  }

  /** Commits writes that remove more than they add. */
  #free(changes: number, write: BatchedWrite): Promise<void> {
    const { root, dir } = this.#environment;
    return this.#space.run({ changes, bytes: 0, frees: true }, () => commit(root, dir, write));
  }

  #put(change: Change, expires: number | undefined, track: (result: Promise<unknown>) => void): void {
    const { keys, history, log, expiry } = this.#environment;
    const { type, key, revision, current, previous } = change;
    const keyBytes = Buffer.from(key);
    const record: LogRecord = {
      type,
      key,
      createRevision: current.createRevision,
      previousRevision: previous === undefined ? 0 : previous.modRevision,
      expires,
      value: type === 'put' ? current.value : noBytes,
    };
    const bytes = encodeLogRecord(record, revision, (size) => this.#arena.allocate(size));
    track(log.put(encodeRevision(revision), bytes));
    if (expires !== undefined) {
      const entry = encodeExpiry(key, expires, revision);
      track(expiry.put(entry.key, entry.value));
    }
    if (previous !== undefined) {
      const ended = encodeHistoryKey(key, revision);
      track(history.put(ended, encodeStateRef(ended, previous)));
    }
    track(type === 'put' ? keys.put(keyBytes, encodeStateRef(keyBytes, current)) : keys.remove(keyBytes));
  }

  /** Continues if the failed batch wrote nothing. Otherwise the durable state is unknown, and the engine fails. */
  #afterFailure(error: CommitError): void {
    this.#environment.meta.resetReadTxn();
    const { newest } = readRevisions(this.#environment);
    if (newest === this.revision()) {
      this.#committing = newest;
      this.#writability.failed(error);
      return;
    }
    this.#commits.fail(new StorageError('unavailable', `the store stopped after a failed write: ${error.message}`));
  }
}

/**
 * Replaces NUL, which ends keys in the history, in a bound. No key contains NUL, so the same keys follow "k" 00 and "k"
 * 01.
 */
function bound(key: string): string {
  return key.replaceAll('\0', '\x01');
}
