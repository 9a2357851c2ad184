import type { Clock } from '../../machinery/clock.ts';
import { StorageError } from '../errors.ts';
import { futureError } from '../mvcc/readable.ts';

interface Waiter {
  readonly revision: number;
  readonly settle: (error?: StorageError) => void;
}

/** Reads that wait for the store to reach a revision. */
export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when `reached` is called with `revision` or a newer one. Rejects with `future` on timeout or abort. */
  wait(revision: number, newest: () => number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => waiter.settle(futureError(revision, newest()));
      const waiter: Waiter = {
        revision,
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

  reached(revision: number): void {
    for (const waiter of this.#waiting) if (waiter.revision <= revision) waiter.settle();
  }

  close(): void {
    for (const waiter of this.#waiting) waiter.settle(new StorageError('unavailable', 'the store is closed'));
  }
}
