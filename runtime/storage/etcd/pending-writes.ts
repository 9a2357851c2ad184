import { StorageError } from '../errors.ts';
import type { Change } from '../kv/engine.ts';

/** A write of unknown outcome. */
export interface PendingWrite {
  readonly key: string;
  /** Absent for a deletion. */
  readonly value: Uint8Array | undefined;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: (change: Change | undefined) => void;
}

/** Milliseconds that a write waits for the watch after etcd's response. */
const watchTimeout = 10_000;

/**
 * The pending writes of this engine. The watch may deliver a write before or after etcd's response; a write is done
 * after both.
 */
export class PendingWrites {
  readonly #byKey = new Map<string, Set<PendingWrite & { heard: Change[] }>>();
  /** The writes with a response, by their revision. */
  readonly #waiters = new Map<number, Waiter>();
  #count = 0;
  #onIdle: (() => void)[] = [];

  /**
   * Runs a write. `acknowledged` waits for the change of a revision, which is undefined if changes were lost. It
   * rejects with `unknown-outcome` if the watch does not deliver the change: the write has happened, but the caches of
   * this process lack it.
   */
  async run<T>(
    write: PendingWrite,
    send: (acknowledged: (revision: number, known: number) => Promise<Change | undefined>) => Promise<T>,
  ): Promise<T> {
    const pending = { ...write, heard: [] as Change[] };
    const ofKey = this.#byKey.get(write.key);
    if (ofKey === undefined) this.#byKey.set(write.key, new Set([pending]));
    else ofKey.add(pending);
    this.#count += 1;
    try {
      return await send((revision, known) => {
        const heard = pending.heard.find((change) => change.revision === revision);
        if (heard !== undefined || revision <= known) return Promise.resolve(heard);
        return this.#wait(revision);
      });
    } finally {
      this.#remove(pending);
    }
  }

  /** Returns the array of a pending write with these bytes, or undefined. */
  ownValue(key: string, value: Uint8Array): Uint8Array | undefined {
    for (const pending of this.#byKey.get(key) ?? []) {
      if (pending.value?.length === value.length && Buffer.compare(pending.value, value) === 0) return pending.value;
    }
    return undefined;
  }

  /** Reports whether a write of this key is pending. */
  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Reports changes that listeners know. */
  heard(changes: readonly Change[]): void {
    if (this.#count === 0) return;
    for (const change of changes) {
      for (const pending of this.#byKey.get(change.key) ?? []) pending.heard.push(change);
      const waiter = this.#waiters.get(change.revision);
      if (waiter === undefined) continue;
      this.#waiters.delete(change.revision);
      waiter.resolve(change);
    }
  }

  /** Reports that changes up to a revision are lost. */
  lost(revision: number): void {
    for (const waiter of this.#waiters.values()) {
      if (waiter.revision > revision) continue;
      this.#waiters.delete(waiter.revision);
      waiter.resolve(undefined);
    }
  }

  /** Resolves when no write is pending. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #wait(revision: number): Promise<Change | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(revision);
        reject(new StorageError('unknown-outcome', 'context deadline exceeded'));
      }, watchTimeout);
      const resolveInTime = (change: Change | undefined): void => {
        clearTimeout(timer);
        resolve(change);
      };
      this.#waiters.set(revision, { revision, resolve: resolveInTime });
    });
  }

  #remove(pending: PendingWrite & { heard: Change[] }): void {
    const ofKey = this.#byKey.get(pending.key);
    ofKey?.delete(pending);
    if (ofKey?.size === 0) this.#byKey.delete(pending.key);
    this.#count -= 1;
    if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
