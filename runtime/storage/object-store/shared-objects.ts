import type { EncodingCache } from '../cache/encoding-cache.ts';
import type { Interner } from '../cache/interner.ts';
import type { LoadedObjects, WatchCache } from '../cache/watch-cache.ts';

export interface SharedObjectsOptions {
  readonly interner: Interner;
  readonly encodings: EncodingCache;
  /** Of the collections that are loaded. */
  readonly caches: { values(): Iterable<WatchCache> };
}

/** The objects in memory of a store at one revision, for its forks: decoded and encoded once for all of them. */
export class SharedObjects {
  readonly interner: Interner;
  readonly encodings: EncodingCache;
  readonly #revision: number;
  /** By the prefix of their keys. */
  readonly #loaded: Map<string, LoadedObjects>;

  /** @param revision that of the caches */
  constructor(revision: number, { interner, encodings, caches }: SharedObjectsOptions) {
    this.interner = interner;
    this.encodings = encodings;
    this.#revision = revision;
    this.#loaded = new Map();
    for (const cache of caches.values()) this.#loaded.set(cache.options.keys.prefix, cache.contents());
  }

  /** The same objects, to take from. */
  copy(): SharedObjects {
    const copy = new SharedObjects(this.#revision, { ...this, caches: new Map() });
    for (const [prefix, loaded] of this.#loaded) copy.#loaded.set(prefix, loaded);
    return copy;
  }

  /**
   * The objects of a collection, once: what changes later is not among them.
   *
   * @param known all changes after this revision are known
   */
  take(prefix: string, known: number): (LoadedObjects & { readonly revision: number }) | undefined {
    const loaded = this.#loaded.get(prefix);
    this.#loaded.delete(prefix);
    return loaded === undefined || known > this.#revision ? undefined : { ...loaded, revision: this.#revision };
  }
}
