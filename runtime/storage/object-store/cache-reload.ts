import { difference } from '../cache/difference.ts';
import type { ObjectChange } from '../cache/history.ts';
import type { IndexedWatchers } from '../cache/indexed-watchers.ts';
import type { WatchCache } from '../cache/watch-cache.ts';
import type { CachedCollection } from './collection.ts';

/** Replaces the cache of a collection that lacks changes. */
export class CacheReload {
  readonly #collection: CachedCollection;
  readonly #watchers: IndexedWatchers;
  #loadedAt = 0;
  #differences: readonly ObjectChange[] = [];

  constructor(collection: CachedCollection, watchers: IndexedWatchers) {
    this.#collection = collection;
    this.#watchers = watchers;
  }

  /** Compares the collection's objects with those of a cache that was just loaded at `loadedAt`. */
  async compare(cache: WatchCache, loadedAt: number): Promise<void> {
    this.#loadedAt = loadedAt;
    this.#differences = await difference(this.#collection.cache.objects(), cache.objects(), loadedAt);
  }

  /** Gives the collection the new cache, and begins to deliver the differences to watchers. */
  complete(cache: WatchCache): void {
    this.#collection.cache = cache;
    this.#watchers.endAfterLoss();
    const changes = [...this.#differences, ...cache.changesAfter(this.#loadedAt)];
    void this.#watchers.dispatchAll(changes, cache.revision);
  }
}
