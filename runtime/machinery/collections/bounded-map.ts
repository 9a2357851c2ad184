/**
 * A Map for caches: it holds at most `limit` entries and drops those that were used least recently. The half of the
 * limit that was used last is always kept.
 *
 * Entries live in two generations. New entries, and old ones that are read, go to the younger generation; when that is
 * full it becomes the older one, whose entries are dropped. So neither a hit nor a miss keeps books, unlike a list in
 * order of use, and a client that sends ever new keys does not empty the cache of the others at once.
 */
export class BoundedMap<K, V extends NonNullable<unknown>> {
  readonly #generationLimit: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** @param limit at least 2 */
  constructor(limit: number) {
    this.#generationLimit = Math.floor(limit / 2);
  }

  get size(): number {
    let size = this.#young.size;
    for (const key of this.#old.keys()) if (!this.#young.has(key)) size++;
    return size;
  }

  /** The value, which counts as used; undefined if there is none. */
  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#generationLimit && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
