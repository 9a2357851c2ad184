import type { Clock } from '../../machinery/clock.ts';
import type { EngineResult, Write } from '../kv/engine.ts';

/** A state of a key that expires unless the key is written again. */
export interface Expiring {
  readonly key: string;
  readonly modRevision: number;
  /** Milliseconds since 1970, in whole seconds, so that keys expire together. */
  readonly expires: number;
}

/** An engine's index of expiring states, ordered by time. */
export interface ExpiryIndex {
  /** Resolves with the first time. */
  first(): Promise<number | undefined>;
  /** Resolves with the states that have expired at `now`, in order. */
  due(now: number, limit: number): Promise<readonly Expiring[]>;
  /** Removes states that were due. */
  remove(entries: readonly Expiring[]): Promise<void>;
}

export function expiresAt(now: number, ttlSeconds: number): number {
  return Math.ceil(now / 1000 + ttlSeconds) * 1000;
}

/** The number of keys deleted at a time. */
const chunk = 500;
/** The least milliseconds between deletions, or attempts. */
const minWaitMs = 1000;
/** The longest timer. Timers cannot run for much longer than three weeks. */
const maxWaitMs = 24 * 60 * 60 * 1000;

export interface KeyExpiryOptions {
  readonly clock: Clock;
  readonly index: ExpiryIndex;
  readonly write: (write: Write) => Promise<EngineResult>;
}

/** Deletes keys when they expire, as ordinary writes. One timer waits for the first. */
export class KeyExpiry {
  readonly #options: KeyExpiryOptions;
  /** The time of the timer. */
  #at = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;
  #deleting: Promise<void> | undefined;
  #closed = false;

  constructor(options: KeyExpiryOptions) {
    this.#options = options;
  }

  /** Starts with the stored states. Rejects if they cannot be read. */
  async start(): Promise<void> {
    this.added(await this.#options.index.first());
  }

  /** Reports a new entry of the index. */
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

  /** Waits for running deletions. Must be called before the engine refuses writes. */
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
        // keys that were written again have another revision
        await Promise.all(entries.map(({ key, modRevision }) => write({ type: 'delete', key, expect: modRevision })));
        await index.remove(entries);
      }
      const first = this.#closed ? undefined : await index.first();
      if (first !== undefined) this.added(Math.max(first, clock.now() + minWaitMs));
    } catch {
      // the disk is full, or the engine is closed
      this.added(clock.now() + minWaitMs);
    }
  }
}
