import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';

interface Mark {
  readonly time: number;
  revision: number;
}

/** Maps times to revisions of the store, from its construction on, for as long as needed. */
export class RevisionTimes {
  readonly #clock: Clock;
  readonly #keptMs: number;
  readonly #stop: () => void;
  /** One mark for each millisecond with a commit, oldest first. The first may be older than necessary. */
  #marks: Mark[];

  constructor(clock: Clock, store: Pick<ObjectStore, 'revision' | 'onCommit'>, keptMs: number) {
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.#marks = [{ time: clock.now(), revision: store.revision() }];
    this.#stop = store.onCommit(() => this.#record(store.revision()));
  }

  /** Returns the newest revision of `ms` milliseconds ago, or the first known revision if that is later. */
  revisionAgo(ms: number): number {
    const then = this.#clock.now() - ms;
    return (this.#marks.findLast(({ time }) => time <= then) ?? elementAt(this.#marks, 0)).revision;
  }

  stop(): void {
    this.#stop();
  }

  #record(revision: number): void {
    const now = this.#clock.now();
    const last = this.#marks.at(-1);
    if (last?.time === now && this.#marks.length > 1) last.revision = revision;
    else this.#marks.push({ time: now, revision });
    this.#discardBefore(now - this.#keptMs);
  }

  /** Discards in batches, because removal from the front of an array costs its length. */
  #discardBefore(oldest: number): void {
    const half = this.#marks.length >> 1;
    if (half > 0 && elementAt(this.#marks, half).time <= oldest) this.#marks = this.#marks.slice(half);
  }
}
