import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { CachedObject } from '../cache/cached-object.ts';
import type { CollectionCache } from '../cache/collection-cache.ts';
import { loadChunk } from '../cache/load.ts';
import { isStorageError } from '../errors.ts';
import type { Change, ChangeNote, Engine, KeyValue } from '../kv/engine.ts';
import { orderKey } from '../mvcc/keys.ts';
import { prefixOf } from './keys.ts';

/** A change of before this process comes without its values: most are the newest of their keys, and loaded anyway. */
type Unclaimed = Change | ChangeNote;

/** Notes read between two turns of the event loop: about a millisecond. */
const notesAtOnce = 256;

/**
 * Changes within the compaction window whose collection nobody has asked for yet: those of before this process,
 * read from the engine once, and those committed since. A collection takes its own when it is loaded, so that
 * watches and exact reads go on over a restart.
 */
export class ChangeBacklog {
  readonly #engine: Engine;
  readonly #budget: number;
  /** The newest revision when this began; later changes come by `add`. */
  readonly #from: number;
  #byPrefix = new Map<string, Unclaimed[]>();
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
    this.#add(prefix, change);
  }

  #add(prefix: string, change: Unclaimed): void {
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
      if ('size' in change) await this.#recallPast(change, cache, states);
      else if (change.revision <= loadedAt) cache.recall(change, states);
      else cache.apply(change);
      if (at % loadChunk === loadChunk - 1) await yieldToEventLoop();
    }
    this.#byPrefix.delete(prefix);
    onClaimed();
  }

  forget(oldest: number): void {
    this.#oldest = Math.max(this.#oldest, oldest);
  }

  /** Reads what the loaded state has not. */
  async #recallPast(
    { type, key, revision, hasPrevious }: ChangeNote,
    cache: CollectionCache,
    states: Map<string, CachedObject | undefined>,
  ): Promise<void> {
    const needsPrevious = hasPrevious && !states.has(orderKey(key));
    const needsCurrent = type === 'put' && !cache.holds(key, revision);
    let previous: KeyValue | undefined;
    let current: KeyValue | undefined;
    try {
      if (needsPrevious) previous = await this.#engine.get(key, revision - 1);
      if (needsCurrent) current = await this.#engine.get(key, revision);
    } catch (error) {
      if (!isStorageError(error) || error.code !== 'compacted') throw error;
      // It is history no longer; whatever changed the key next asks for its own previous state.
      states.delete(orderKey(key));
      return;
    }
    cache.recall({ type, key, revision, current, previous }, states);
  }

  #listOf(prefix: string): Unclaimed[] {
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
    const past: ChangeNote[] = [];
    let start = 0;
    let bytes = 0;
    for (let last = this.#oldest; last < this.#from; ) {
      try {
        const notes = await this.#engine.notes(last, Math.min(notesAtOnce, this.#from - last));
        for (const note of notes) {
          past.push(note);
          bytes += note.size;
        }
        last = notes[notes.length - 1].revision;
        for (; bytes > this.#budget && start < past.length; start += 1) {
          bytes -= past[start].size;
          this.#oldest = past[start].revision;
        }
        await yieldToEventLoop();
      } catch (error) {
        // Compaction overtook the reading: begin again behind it.
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
