import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { CachedObject } from '../cache/cached-object.ts';
import { loadChunk } from '../cache/load.ts';
import type { WatchCache } from '../cache/watch-cache.ts';
import { isStorageError } from '../errors.ts';
import type { Change, ChangeSummary, Engine, KeyValue } from '../kv/engine.ts';
import { orderKey } from '../mvcc/keys.ts';
import { summaryOf } from '../mvcc/stored-value.ts';
import { PrefixMap } from './prefix-map.ts';

/**
 * Changes from before this process have no values: most are the newest of their keys, and these values are loaded
 * anyway.
 */
type PendingChange = Change | ChangeSummary;

/** The number of change summaries read between yields to the event loop: about a millisecond. */
const summaryChunk = 256;

export interface ChangeBacklogOptions {
  /** The most bytes of past values. */
  readonly budget: number;
  /** The most past revisions read from an engine that only has whole changes. Default: 10,000, about a second. */
  readonly maxSharedPast?: number | undefined;
  /** The prefix of all keys. */
  readonly root: string;
}

const sizeOf = (change: PendingChange): number => ('size' in change ? change : summaryOf(change)).size;

/**
 * The changes of collections that are not loaded yet, within the compaction window. Changes from before this process
 * are read once from the engine. A collection takes its changes when it is loaded, so that clients can continue watches
 * and exact reads after a restart.
 */
export class ChangeBacklog {
  readonly #engine: Engine;
  readonly #budget: number;
  readonly #root: string;
  /** The newest revision when the store was opened; `add` brings later changes. */
  readonly #openedAt: number;
  /** Changes by the first part of their keys, which several collections may share. */
  #byPart = new Map<string, PendingChange[]>();
  /** The changes of collections that are being loaded. */
  readonly #draining = new PrefixMap<PendingChange[]>();
  #oldest: number;
  #reading: Promise<void> | undefined;

  constructor(engine: Engine, { budget, maxSharedPast = 10_000, root }: ChangeBacklogOptions) {
    this.#engine = engine;
    this.#budget = budget;
    this.#root = root;
    this.#openedAt = engine.revision();
    this.#oldest = Math.max(engine.compactedRevision() + 1, engine.isShared ? this.#openedAt - maxSharedPast : Number.NEGATIVE_INFINITY);
  }

  /** The backlog and the drained changes include all changes after this revision. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Resolves when the changes from before this process have been read. */
  ready(): Promise<void> {
    this.#reading ??= this.#read().catch((error: unknown) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }

  add(change: PendingChange): void {
    const draining = this.#draining.find(change.key);
    if (draining !== undefined) {
      draining.push(change);
      return;
    }
    const part = this.#partOf(change.key);
    const changes = this.#byPart.get(part);
    if (changes === undefined) this.#byPart.set(part, [change]);
    else changes.push(change);
  }

  /**
   * Moves the changes of a prefix to its cache. Yields to the event loop between chunks.
   *
   * @param loadedAt the revision of the loaded cache: changes up to it are replayed, later ones are applied
   * @param onDrained called when no change is left, before the next commit can add one
   */
  async drain(prefix: string, loadedAt: number, cache: WatchCache, onDrained: () => void): Promise<void> {
    const states = new Map<string, CachedObject | undefined>();
    // commits can extend the list during the loop
    const changes = this.#take(prefix);
    for (let at = 0, change = changes[at]; change !== undefined; change = changes[++at]) {
      if ('size' in change) await this.#replaySummary(change, cache, states);
      else if (change.revision <= loadedAt) cache.replay(change, states);
      else cache.apply(change);
      if (at % loadChunk === loadChunk - 1) await yieldToEventLoop();
    }
    this.#draining.delete(prefix);
    onDrained();
  }

  /** Discards the changes that only revisions before `oldest` need. */
  discardBefore(oldest: number): void {
    this.#oldest = Math.max(this.#oldest, oldest);
    for (const [part, changes] of this.#byPart) {
      this.#dropCompacted(changes);
      if (changes.length === 0) this.#byPart.delete(part);
    }
  }

  /** Replays a change summary. Reads the values that the cache lacks. */
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
      // the state was compacted meanwhile; the next change of the key reads its own previous state
      states.delete(orderKey(key));
      return;
    }
    cache.replay({ type, key, revision, current, previous }, states);
  }

  /** Returns `pods` or `example.com/robots`: only names of API groups contain dots. */
  #partOf(key: string): string {
    const [first = '', second = ''] = key.slice(this.#root.length + 1).split('/', 2);
    return first.includes('.') ? `${first}/${second}` : first;
  }

  /** Removes and returns the changes of a prefix. */
  #take(prefix: string): PendingChange[] {
    // a failed load has left these changes
    const left = this.#draining.get(prefix);
    if (left !== undefined) {
      this.#dropCompacted(left);
      return left;
    }
    const part = this.#partOf(prefix);
    const changes = this.#byPart.get(part) ?? [];
    this.#dropCompacted(changes);
    const isOfPrefix = ({ key }: PendingChange): boolean => key.startsWith(prefix);
    const taken = changes.filter(isOfPrefix);
    const rest = changes.filter((change) => !isOfPrefix(change));
    if (rest.length === 0) this.#byPart.delete(part);
    else this.#byPart.set(part, rest);
    this.#draining.set(prefix, taken);
    return taken;
  }

  /** Removes the changes that were compacted after they were read. */
  #dropCompacted(changes: PendingChange[]): void {
    const first = changes.findIndex(({ revision }) => revision > this.#oldest);
    changes.splice(0, first < 0 ? changes.length : first);
  }

  async #read(): Promise<void> {
    const live = this.#byPart;
    const past: PendingChange[] = [];
    let start = 0;
    let bytes = 0;
    for (let last = this.#oldest; last < this.#openedAt; ) {
      try {
        const changes = await this.#engine.changes(last, summaryChunk);
        for (const change of changes) {
          // `add` has the later changes
          if (change.revision > this.#openedAt) break;
          past.push(change);
          bytes += sizeOf(change);
        }
        last = changes.at(-1)?.revision ?? this.#openedAt;
        for (const change of past.slice(start)) {
          if (bytes <= this.#budget) break;
          bytes -= sizeOf(change);
          this.#oldest = change.revision;
          start += 1;
        }
        await yieldToEventLoop();
      } catch (error) {
        // the revision was compacted during the read: start over after it
        if (!isStorageError(error) || error.code !== 'compacted') throw error;
        past.length = 0;
        start = 0;
        bytes = 0;
        this.#oldest = this.#engine.compactedRevision() + 1;
        last = this.#oldest;
      }
    }
    this.#byPart = new Map();
    for (const change of past.slice(start)) this.add(change);
    for (const changes of live.values()) for (const change of changes) this.add(change);
  }
}
