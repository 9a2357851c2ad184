import type { EncodingCache } from '../cache/encoding-cache.ts';
import type { Interner } from '../cache/interner.ts';
import type { LoadedObjects, WatchCache } from '../cache/watch-cache.ts';

export interface SharedObjectsOptions {
  readonly interner: Interner;
  readonly encodings: EncodingCache;
  /** The caches of loaded collections. */
  readonly caches: { values(): Iterable<WatchCache> };
}

/** A store's in-memory objects at one revision, for its forks: decoded and encoded once for all. */
export class SharedObjects {
  readonly interner: Interner;
  readonly encodings: EncodingCache;
  readonly #revision: number;
  /** Objects by the prefix of their keys. */
  readonly #loaded: Map<string, LoadedObjects>;

  /** @param revision of the caches */
  constructor(revision: number, { interner, encodings, caches }: SharedObjectsOptions) {
    this.interner = interner;
    this.encodings = encodings;
    this.#revision = revision;
    this.#loaded = new Map();
    for (const cache of caches.values()) this.#loaded.set(cache.options.keys.prefix, cache.contents());
  }

  /** Returns the same objects for another fork to take. */
  copy(): SharedObjects {
    const copy = new SharedObjects(this.#revision, { ...this, caches: new Map() });
    for (const [prefix, loaded] of this.#loaded) copy.#loaded.set(prefix, loaded);
    return copy;
  }

  /**
   * Returns the objects of a collection, once. Later changes are not in them.
   *
   * @param known the revision after which all changes are known
   */
  take(prefix: string, known: number): (LoadedObjects & { readonly revision: number }) | undefined {
    const loaded = this.#loaded.get(prefix);
    this.#loaded.delete(prefix);
    return loaded === undefined || known > this.#revision ? undefined : { ...loaded, revision: this.#revision };
  }
}
