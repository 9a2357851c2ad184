import { StorageError } from '../errors.ts';
import type { Change, ChangeNote, Engine, KeyValue, Range, RangeOptions, Write, WriteResult } from '../kv/engine.ts';
import { GroupCommit } from '../mvcc/group-commit.ts';
import { checkHappened, checkNotCompacted, checkReadable } from '../mvcc/readable.ts';
import { type Environment, type LmdbOptions, openEnvironment } from './environment.ts';
import { ReadMemory } from './read-memory.ts';
import { RecordArena } from './record-arena.ts';
import { encodeHistoryKey, encodeLogRecord, encodeRevision, encodeStateRef, type LogRecord } from './records.ts';
import { Reopening } from './reopening.ts';
import { compactedKey, readRevisions } from './revisions.ts';
import { newestStates, readNote, readState, stateAt, statesAt } from './states.ts';
import { sweep } from './sweep.ts';

const noBytes = new Uint8Array(0);

/**
 * Opens the embedded engine on disk: the newest states and, within the compaction window, every change. Throws
 * StorageError: `unavailable` where another process has the directory open or it cannot be written, `corrupt` where it
 * holds something else.
 */
export async function openLmdbEngine(options: LmdbOptions): Promise<Engine> {
  return new LmdbEngine(await openEnvironment(options), options.reopen);
}

class LmdbEngine implements Engine {
  readonly #environment: Environment;
  readonly #commits: GroupCommit;
  readonly #closing = new AbortController();
  /** The last revision handed to LMDB: above the durable one while a commit is on its way. */
  #handedOver: number;
  #compacted: number;
  #sweeping: Promise<void> = Promise.resolve();
  #sweeps = 0;
  readonly #arena = new RecordArena();
  #closed: Promise<void> | undefined;
  readonly #reopening: Reopening;

  constructor(environment: Environment, reopenAfter = { bytes: 4 * 2 ** 20, ms: 500 }) {
    const { compacted, newest } = readRevisions(environment);
    this.#environment = environment;
    this.#reopening = new Reopening({
      after: reopenAfter,
      isBusy: () => this.#sweeps > 0,
      reopen: () => this.#reopen(),
    });
    this.#compacted = compacted;
    this.#handedOver = newest;
    this.#commits = new GroupCommit(
      { lookup: (key) => this.#lookup(key), commit: (changes) => this.#commit(changes) },
      newest,
    );
  }

  revision(): number {
    return this.#commits.revision();
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  async get(key: string, revision = this.revision()): Promise<KeyValue | undefined> {
    if (this.#reopening.underWay !== undefined) await this.#reopening.underWay;
    this.#checkReadable(revision);
    this.#reopening.noteUse();
    const ref = stateAt(this.#environment, key, revision);
    return ref === undefined ? undefined : readState(this.#environment, ref.modRevision);
  }

  async range(from: string, to: string, options: RangeOptions = {}): Promise<Range> {
    const [start, end] = [bound(from), bound(to)];
    const { limit = Number.POSITIVE_INFINITY, revision = this.revision() } = options;
    if (this.#reopening.underWay !== undefined) await this.#reopening.underWay;
    this.#checkReadable(revision);
    const items: KeyValue[] = [];
    if (start >= end && Buffer.compare(Buffer.from(start), Buffer.from(end)) >= 0) {
      return { items, more: false, revision };
    }
    const states =
      revision >= this.#handedOver
        ? newestStates(this.#environment, start, end)
        : statesAt(this.#environment, start, end, revision);
    const { allocate = new ReadMemory().take } = options;
    this.#reopening.noteUse();
    for (const { ref } of states) {
      if (items.length >= limit) return { items, more: true, revision };
      items.push(readState(this.#environment, ref.modRevision, allocate));
    }
    return { items, more: false, revision };
  }

  write(write: Write): Promise<WriteResult> {
    const reopening = this.#reopening.underWay;
    if (reopening !== undefined) return reopening.then(() => this.#commits.write(write));
    return this.#commits.write(write);
  }

  async notes(revision: number, limit: number): Promise<readonly ChangeNote[]> {
    if (this.#reopening.underWay !== undefined) await this.#reopening.underWay;
    this.#commits.checkOpen();
    checkNotCompacted(revision, this.#compacted);
    const notes: ChangeNote[] = [];
    this.#reopening.noteUse();
    const end = Math.min(revision + limit, this.revision());
    for (let at = revision + 1; at <= end; at += 1) notes.push(readNote(this.#environment, at));
    return notes;
  }

  onCommit(listener: (changes: readonly Change[]) => void): () => void {
    return this.#commits.onCommit(listener);
  }

  async compact(revision: number): Promise<void> {
    if (this.#reopening.underWay !== undefined) await this.#reopening.underWay;
    this.#commits.checkOpen();
    checkHappened(revision, this.revision());
    if (revision - 1 <= this.#compacted) return this.#sweeping;
    this.#compacted = revision - 1;
    this.#sweeps += 1;
    this.#sweeping = this.#sweeping
      .catch(() => undefined)
      .then(async () => {
        await this.#environment.meta.put(compactedKey, encodeRevision(revision - 1));
        await sweep(this.#environment, revision, this.#closing.signal);
      })
      .finally(() => {
        this.#sweeps -= 1;
        this.#reopening.noteUse();
      });
    return this.#sweeping;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#reopening.close();
    if (this.#reopening.underWay !== undefined) await this.#reopening.underWay;
    await this.#commits.close();
    this.#closing.abort();
    await this.#sweeping.catch(() => undefined);
    await this.#environment.close();
  }

  #checkReadable(revision: number): void {
    this.#commits.checkOpen();
    checkReadable(revision, this.#compacted, this.revision());
  }

  /** What is called from now on waits; what was called before is done first. */
  async #reopen(): Promise<void> {
    await this.#commits.idle();
    await this.#sweeping.catch(() => undefined);
    try {
      await this.#environment.reopen();
    } catch (error) {
      this.#commits.fail(
        new StorageError('unavailable', `the store cannot be opened again: ${(error as Error).message}`),
      );
    }
  }

  #lookup(key: string): KeyValue | undefined {
    const ref = stateAt(this.#environment, key, Number.MAX_SAFE_INTEGER - 1);
    return ref === undefined ? undefined : readState(this.#environment, ref.modRevision);
  }

  async #commit(changes: readonly Change[]): Promise<void> {
    const { root, meta } = this.#environment;
    this.#reopening.noteUse();
    this.#handedOver = changes[changes.length - 1].revision;
    try {
      // All in one transaction, written and synced by LMDB's own thread.
      await root.batch(() => {
        for (const change of changes) this.#put(change);
      });
    } catch (error) {
      const cause = await commitError(error);
      this.#arena.abandon();
      this.#afterFailure(cause);
      throw new StorageError('unavailable', `writing to the store failed: ${cause}`);
    }
    meta.resetReadTxn();
    this.#arena.reset();
  }

  #put(change: Change): void {
    const { keys, history, log } = this.#environment;
    const { type, key, revision, current, previous } = change;
    const keyBytes = Buffer.from(key);
    const record: LogRecord = {
      type,
      key,
      createRevision: current.createRevision,
      previousRevision: previous === undefined ? 0 : previous.modRevision,
      value: type === 'put' ? current.value : noBytes,
    };
    log.put(
      encodeRevision(revision),
      encodeLogRecord(record, (size) => this.#arena.take(size)),
    );
    if (previous !== undefined) history.put(encodeHistoryKey(key, revision), encodeStateRef(previous));
    if (type === 'put') keys.put(keyBytes, encodeStateRef(current));
    else keys.remove(keyBytes);
  }

  /** Goes on if nothing of the batch is there; else what is durable is not known, and nothing more is promised. */
  #afterFailure(cause: string): void {
    this.#environment.meta.resetReadTxn();
    const { newest } = readRevisions(this.#environment);
    if (newest === this.revision()) {
      this.#handedOver = newest;
      return;
    }
    this.#commits.fail(new StorageError('unavailable', `the store stopped after a failed write: ${cause}`));
  }
}

/**
 * The bound without NUL, which in the history ends a key: no key holds one, so behind "k" 00 and behind "k" 01 come
 * the same keys.
 */
function bound(key: string): string {
  return key.replaceAll('\0', '\x01');
}

/** lmdb's own error only says that there is one, and has the cause in a promise. */
async function commitError(error: unknown): Promise<string> {
  const { commitError: cause, message } = error as Error & { commitError?: Promise<never> };
  if (cause === undefined) return message;
  return cause.then(
    () => message,
    (inner: Error) => inner.message,
  );
}
