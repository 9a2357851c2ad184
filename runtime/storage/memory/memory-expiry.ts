import type { Expiring, ExpiryIndex } from '../mvcc/expiry.ts';

/** Expiring states by time. Most keys expire after all others, so adding one is cheap. */
export class MemoryExpiry implements ExpiryIndex {
  #byTime = new Map<number, readonly Expiring[]>();
  /** Times in ascending order. */
  #times: number[] = [];
  /** Lists of entries that only this index has, and may extend. */
  #own = new WeakSet<readonly Expiring[]>();
  #isShared = false;

  /**
   * Returns an independent copy. Entries are shared until one of the two changes.
   *
   * @param later milliseconds by which all entries of the copy expire later
   */
  copy(later = 0): MemoryExpiry {
    const copy = new MemoryExpiry();
    if (later !== 0) {
      for (const entry of this.all()) copy.add({ ...entry, expires: entry.expires + later });
      return copy;
    }
    copy.#byTime = this.#byTime;
    copy.#times = this.#times;
    copy.#isShared = true;
    this.#isShared = true;
    return copy;
  }

  *all(): Iterable<Expiring> {
    for (const entries of this.#byTime.values()) yield* entries;
  }

  add(entry: Expiring): void {
    this.#unshare();
    const entries = this.#byTime.get(entry.expires);
    if (entries !== undefined) {
      this.#ownEntries(entry.expires, entries).push(entry);
      return;
    }
    this.#ownEntries(entry.expires, []).push(entry);
    const before = this.#times.findLastIndex((time) => time <= entry.expires);
    this.#times.splice(before + 1, 0, entry.expires);
  }

  async first(): Promise<number | undefined> {
    return this.#times[0];
  }

  async due(now: number, limit: number): Promise<readonly Expiring[]> {
    const first = this.#times[0];
    return first === undefined || first > now ? [] : (this.#byTime.get(first) ?? []).slice(0, limit);
  }

  /** @param entries from `due` */
  async remove(entries: readonly Expiring[]): Promise<void> {
    const [first] = entries;
    if (first === undefined) return;
    this.#unshare();
    const { expires } = first;
    const rest = (this.#byTime.get(expires) ?? []).slice(entries.length);
    if (rest.length > 0) {
      this.#byTime.set(expires, rest);
      return;
    }
    this.#byTime.delete(expires);
    this.#times.splice(this.#times.indexOf(expires), 1);
  }

  #unshare(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    this.#byTime = new Map(this.#byTime);
    this.#times = this.#times.slice();
    this.#own = new WeakSet();
  }

  #ownEntries(expires: number, entries: readonly Expiring[]): Expiring[] {
    if (this.#own.has(entries)) return entries as Expiring[];
    const own = entries.slice();
    this.#own.add(own);
    this.#byTime.set(expires, own);
    return own;
  }
}
