import { setImmediate } from 'node:timers/promises';
import type { CachedObject } from '../cache/cached-object.ts';
import type { CollectionCache } from '../cache/collection-cache.ts';
import { loadChunk } from '../cache/load.ts';
import { isStorageError } from '../errors.ts';
import type { Change, Engine } from '../kv/engine.ts';
import { prefixOf } from './keys.ts';

/**
 * Changes within the compaction window whose collection nobody has asked for yet: those of before this process,
 * read from the engine once, and those committed since. A collection takes its own when it is loaded, so that
 * watches and exact reads go on over a restart.
 */
export class UnclaimedChanges {
  readonly #engine: Engine;
  readonly #budget: number;
  /** The newest revision when this began; later changes come by `add`. */
  readonly #from: number;
  #byPrefix = new Map<string, Change[]>();
  #oldest: number;
  #reading: Promise<void> | undefined;

  constructor(engine: Engine, budget: number) {
    this.#engine = engine;
    this.#budget = budget;
    this.#from = engine.revision();
    this.#oldest = engine.compactedRevision() + 1;
  }

  /** The oldest revision after which all changes are here, or claimed. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Resolves when the history of before is read. */
  ready(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  add(prefix: string, change: Change): void {
    const changes = this.#byPrefix.get(prefix);
    if (changes === undefined) this.#byPrefix.set(prefix, [change]);
    else changes.push(change);
  }

  /**
   * Hands the changes of a prefix to its cache, in slices.
   *
   * @param loadedAt the revision of the cache's loaded state: changes up to it are history, later ones are news
   * @param onClaimed called when none is left, before the next commit can bring another
   */
  async claim(prefix: string, loadedAt: number, cache: CollectionCache, onClaimed: () => void): Promise<void> {
    const states = new Map<string, CachedObject | undefined>();
    // The list grows while this waits.
    const changes = this.#listOf(prefix);
    for (let at = 0; at < changes.length; at += 1) {
      const change = changes[at];
      if (change.revision <= loadedAt) cache.recall(change, states);
      else cache.apply(change);
      if (at % loadChunk === loadChunk - 1) await setImmediate();
    }
    this.#byPrefix.delete(prefix);
    onClaimed();
  }

  forget(oldest: number): void {
    this.#oldest = Math.max(this.#oldest, oldest);
  }

  #listOf(prefix: string): Change[] {
    const known = this.#byPrefix.get(prefix);
    const changes = known ?? [];
    // Not what was compacted since it was read.
    const first = changes.findIndex(({ revision }) => revision > this.#oldest);
    changes.splice(0, first < 0 ? changes.length : first);
    if (known === undefined) this.#byPrefix.set(prefix, changes);
    return changes;
  }

  async #read(): Promise<void> {
    const live = this.#byPrefix;
    const past: Change[] = [];
    let start = 0;
    let bytes = 0;
    for (;;) {
      const stop = new AbortController();
      try {
        if (this.#from <= this.#oldest) break;
        for await (const changes of this.#engine.changes(past.at(-1)?.revision ?? this.#oldest, stop.signal)) {
          for (const change of changes) {
            if (change.revision > this.#from) break;
            past.push(change);
            bytes += sizeOf(change);
          }
          for (; bytes > this.#budget && start < past.length; start += 1) {
            bytes -= sizeOf(past[start]);
            this.#oldest = past[start].revision;
          }
          if (changes[changes.length - 1].revision >= this.#from) break;
          await setImmediate();
        }
        break;
      } catch (error) {
        // Compaction overtook the reading: begin again behind it.
        if (!isStorageError(error) || error.code !== 'compacted') throw error;
        past.length = 0;
        start = 0;
        bytes = 0;
        this.#oldest = this.#engine.compactedRevision() + 1;
      } finally {
        stop.abort();
      }
    }
    this.#byPrefix = new Map();
    for (const change of past.slice(start)) {
      const prefix = prefixOf(change.key);
      if (prefix !== undefined) this.add(prefix, change);
    }
    for (const [prefix, changes] of live) for (const change of changes) this.add(prefix, change);
  }
}

function sizeOf(change: Change): number {
  return change.current.value.length + (change.previous?.value.length ?? 0);
}
