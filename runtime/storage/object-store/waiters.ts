import type { Clock } from '../../machinery/clock.ts';
import { StorageError } from '../errors.ts';
import { futureError } from '../mvcc/readable.ts';

interface Waiter {
  readonly isReached: () => boolean;
  readonly settle: (error?: StorageError) => void;
}

/** Reads that wait for the store to reach a revision. */
export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when `newest` has reached the revision by an `advance`. Rejects with `future` on timeout or abort. */
  wait(
    revision: number,
    newest: () => number,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<void> {
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

  /** Called whenever the newest revision of a collection has grown. */
  advance(): void {
    for (const waiter of this.#waiting) if (waiter.isReached()) waiter.settle();
  }

  close(): void {
    for (const waiter of this.#waiting) waiter.settle(new StorageError('unavailable', 'the store is closed'));
  }
}
