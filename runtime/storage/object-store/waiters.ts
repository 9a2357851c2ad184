import type { Clock } from '../../machinery/clock.ts';
import { isStorageError, StorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import { futureError } from '../mvcc/readable.ts';

interface Waiter {
  readonly isReached: () => boolean;
  readonly settle: (error?: StorageError) => void;
}

/** Milliseconds to wait for an existing revision: a broken connection to other processes may last this long. */
export const catchUpTimeoutMs = 10_000;

/** Reads that wait for the store to reach a revision. */
export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves at the first `advance` after `newest` has reached the revision. Rejects with `future` on timeout or abort.
   */
  wait(
    revision: number,
    newest: () => number,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<void> {
    if (newest() >= revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const giveUp = () => waiter.settle(futureError(revision, newest()));
      const waiter: Waiter = {
        isReached: () => newest() >= revision,
        settle: (error) => {
          this.#waiting.delete(waiter);
          cancelTimer();
          signal?.removeEventListener('abort', giveUp);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      const cancelTimer = this.#clock.after(timeoutMs, giveUp);
      this.#waiting.add(waiter);
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted) giveUp();
    });
  }

  /**
   * Resolves when the engine knows every write that is finished at the call.
   *
   * @throws StorageError `unavailable`
   */
  async catchUp(engine: Pick<Engine, 'revision' | 'currentRevision'>): Promise<void> {
    const revision = await engine.currentRevision();
    try {
      await this.wait(revision, () => engine.revision(), { timeoutMs: catchUpTimeoutMs });
    } catch (error) {
      if (!isStorageError(error) || error.code !== 'future') throw error;
      throw new StorageError('unavailable', 'context deadline exceeded');
    }
  }

  /** Must be called whenever the newest revision of a collection, or of the engine, has grown. */
  advance(): void {
    for (const waiter of this.#waiting) if (waiter.isReached()) waiter.settle();
  }

  close(): void {
    for (const waiter of this.#waiting) waiter.settle(new StorageError('unavailable', 'the store is closed'));
  }
}
