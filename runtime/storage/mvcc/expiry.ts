import type { Clock } from '../../machinery/clock.ts';
import type { EngineResult, Write } from '../kv/engine.ts';

/** A state of a key that expires, unless the key is written again. */
export interface Expiring {
  readonly key: string;
  readonly modRevision: number;
  /** In milliseconds since 1970, a whole second, so that keys expire together. */
  readonly expires: number;
}

/** Where an engine keeps what expires, in the order of the times. */
export interface ExpiryIndex {
  /** The first time. */
  first(): Promise<number | undefined>;
  /** The states that have expired at `now`, the first ones first. */
  due(now: number, limit: number): Promise<readonly Expiring[]>;
  /** Removes what was due. */
  remove(entries: readonly Expiring[]): Promise<void>;
}

export function expiresAt(now: number, ttlSeconds: number): number {
  return Math.ceil(now / 1000 + ttlSeconds) * 1000;
}

/** How many keys are deleted at a time. */
const chunk = 500;
/** After deleting, or trying to, the timer waits for at least so many milliseconds. */
const minWaitMs = 1000;
/** Timers do not run for much longer than three weeks. */
const maxWaitMs = 24 * 60 * 60 * 1000;

export interface KeyExpiryOptions {
  readonly clock: Clock;
  readonly index: ExpiryIndex;
  readonly write: (write: Write) => Promise<EngineResult>;
}

/** Deletes keys when they expire, as ordinary writes. One timer waits for the first of them. */
export class KeyExpiry {
  readonly #options: KeyExpiryOptions;
  /** When the timer runs. */
  #at = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;
  #deleting: Promise<void> | undefined;
  #closed = false;

  constructor(options: KeyExpiryOptions) {
    this.#options = options;
  }

  /** Begins with what expires of the states that were stored before. Rejects if they cannot be read. */
  async start(): Promise<void> {
    this.added(await this.#options.index.first());
  }

  /** Says that the index has a new entry. */
  added(expires: number | undefined): void {
    if (expires === undefined || expires >= this.#at || this.#closed) return;
    this.#cancel();
    this.#at = expires;
    const { clock } = this.#options;
    const wait = Math.min(Math.max(expires - clock.now(), 0), maxWaitMs);
    this.#cancel = clock.after(wait, () => {
      this.#at = Number.POSITIVE_INFINITY;
      this.#deleting = (this.#deleting ?? Promise.resolve()).then(() => this.#deleteDue());
    });
  }

  /** Waits for deletions in progress. Call it before the engine refuses writes. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#deleting;
  }

  async #deleteDue(): Promise<void> {
    const { clock, index, write } = this.#options;
    try {
      for (;;) {
        const entries = this.#closed ? [] : await index.due(clock.now(), chunk);
        if (entries.length === 0) break;
        // what was written again has another revision
        await Promise.all(entries.map(({ key, modRevision }) => write({ type: 'delete', key, expect: modRevision })));
        await index.remove(entries);
      }
      const first = this.#closed ? undefined : await index.first();
      if (first !== undefined) this.added(Math.max(first, clock.now() + minWaitMs));
    } catch {
      // a full disk, or a closed engine
      this.added(clock.now() + minWaitMs);
    }
  }
}
