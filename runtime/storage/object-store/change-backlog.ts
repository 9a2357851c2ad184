import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { CachedObject } from '../cache/cached-object.ts';
import { loadChunk } from '../cache/load.ts';
import type { WatchCache } from '../cache/watch-cache.ts';
import { isStorageError } from '../errors.ts';
import type { Change, ChangeSummary, Engine, KeyValue } from '../kv/engine.ts';
import { orderKey } from '../mvcc/keys.ts';
import { summaryOf } from '../mvcc/stored-value.ts';
import { prefixOf } from './keys.ts';

/** Changes from before this process have no values: most of them are the newest of their keys, which are loaded anyway. */
type PendingChange = Change | ChangeSummary;

/** How many change summaries are read before yielding to the event loop: about a millisecond. */
const summaryChunk = 256;

const sizeOf = (change: PendingChange): number => ('size' in change ? change : summaryOf(change)).size;

/**
 * The changes within the compaction window of collections that are not loaded yet: those from before this process, which are
 * read from the engine once, and those committed since. A collection takes its changes when it is loaded, so that clients can
 * continue watches and exact reads after a restart.
 */
export class ChangeBacklog {
  readonly #engine: Engine;
  readonly #budget: number;
  /** The newest revision when the store was opened; `add` brings later changes. */
  readonly #openedAt: number;
  #byPrefix = new Map<string, PendingChange[]>();
  #oldest: number;
  #reading: Promise<void> | undefined;

  constructor(engine: Engine, budget: number) {
    this.#engine = engine;
    this.#budget = budget;
    this.#openedAt = engine.revision();
    this.#oldest = engine.compactedRevision() + 1;
  }

  /** The backlog, with what was drained, has all changes after this revision. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Resolves when the changes from before this process are read. */
  ready(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  add(prefix: string, change: Change): void {
    this.#add(prefix, change);
  }

  #add(prefix: string, change: PendingChange): void {
    const changes = this.#byPrefix.get(prefix);
    if (changes === undefined) this.#byPrefix.set(prefix, [change]);
    else changes.push(change);
  }

  /**
   * Moves the changes of a prefix to its cache. Yields to the event loop between chunks.
   *
   * @param loadedAt the revision at which the cache was loaded: changes up to it are replayed, later ones are applied
   * @param onDrained called when no change is left, before the next commit can add one
   */
  async drain(prefix: string, loadedAt: number, cache: WatchCache, onDrained: () => void): Promise<void> {
    const states = new Map<string, CachedObject | undefined>();
    // commits can extend the list during the loop
    const changes = this.#listOf(prefix);
    for (let at = 0; at < changes.length; at += 1) {
      const change = changes[at];
      if ('size' in change) await this.#replaySummary(change, cache, states);
      else if (change.revision <= loadedAt) cache.replay(change, states);
      else cache.apply(change);
      if (at % loadChunk === loadChunk - 1) await yieldToEventLoop();
    }
    this.#byPrefix.delete(prefix);
    onDrained();
  }

  /** Discards the changes that only revisions before `oldest` need. */
  discardBefore(oldest: number): void {
    this.#oldest = Math.max(this.#oldest, oldest);
  }

  /** Reads the values that the cache does not have. */
  async #replaySummary(
    { type, key, revision, hasPrevious }: ChangeSummary,
    cache: WatchCache,
    states: Map<string, CachedObject | undefined>,
  ): Promise<void> {
    const needsPrevious = hasPrevious && !states.has(orderKey(key));
    const needsCurrent = type === 'put' && !cache.isNewest(key, revision);
    let previous: KeyValue | undefined;
    let current: KeyValue | undefined;
    try {
      if (needsPrevious) previous = await this.#engine.get(key, revision - 1);
      if (needsCurrent) current = await this.#engine.get(key, revision);
    } catch (error) {
      if (!isStorageError(error) || error.code !== 'compacted') throw error;
      // compacted meanwhile; the next change of the key reads its own previous state
      states.delete(orderKey(key));
      return;
    }
    cache.replay({ type, key, revision, current, previous }, states);
  }

  #listOf(prefix: string): PendingChange[] {
    const known = this.#byPrefix.get(prefix);
    const changes = known ?? [];
    // without the changes that were compacted since they were read
    const first = changes.findIndex(({ revision }) => revision > this.#oldest);
    changes.splice(0, first < 0 ? changes.length : first);
    if (known === undefined) this.#byPrefix.set(prefix, changes);
    return changes;
  }

  async #read(): Promise<void> {
    const live = this.#byPrefix;
    const past: PendingChange[] = [];
    let start = 0;
    let bytes = 0;
    for (let last = this.#oldest; last < this.#openedAt; ) {
      try {
        const changes = await this.#engine.changes(last, summaryChunk);
        for (const change of changes) {
          // `add` brings the later ones
          if (change.revision > this.#openedAt) break;
          past.push(change);
          bytes += sizeOf(change);
        }
        last = changes.at(-1)?.revision ?? this.#openedAt;
        for (; bytes > this.#budget && start < past.length; start += 1) {
          bytes -= sizeOf(past[start]);
          this.#oldest = past[start].revision;
        }
        await yieldToEventLoop();
      } catch (error) {
        // the revision was compacted while reading: start over after it
        if (!isStorageError(error) || error.code !== 'compacted') throw error;
        past.length = 0;
        start = 0;
        bytes = 0;
        this.#oldest = this.#engine.compactedRevision() + 1;
        last = this.#oldest;
      }
    }
    this.#byPrefix = new Map();
    for (const change of past.slice(start)) {
      const prefix = prefixOf(change.key);
      if (prefix !== undefined) this.#add(prefix, change);
    }
    for (const [prefix, changes] of live) for (const change of changes) this.#add(prefix, change);
  }
}
