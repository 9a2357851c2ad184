/**
 * A Map for caches. It holds at most `limit` entries and always retains the half of them that was used last.
 *
 * Entries live in two generations. New entries, and older ones that are read, go to the young generation. A full young
 * generation becomes the old one, and the previous old one is dropped. A hit or a miss therefore updates no order of
 * use, and a client that sends ever new keys does not evict entries that others use.
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

  /** Returns the value, which now counts as used; undefined for an unknown key. */
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
