import type { Expiring, ExpiryIndex } from '../mvcc/expiry.ts';

/** What expires, by time. Most keys expire after all others, so that adding one costs nothing. */
export class MemoryExpiry implements ExpiryIndex {
  readonly #byTime = new Map<number, Expiring[]>();
  /** In ascending order. */
  readonly #times: number[] = [];

  add(entry: Expiring): void {
    const entries = this.#byTime.get(entry.expires);
    if (entries !== undefined) {
      entries.push(entry);
      return;
    }
    this.#byTime.set(entry.expires, [entry]);
    let at = this.#times.length;
    while (at > 0 && this.#times[at - 1] > entry.expires) at -= 1;
    this.#times.splice(at, 0, entry.expires);
  }

  async first(): Promise<number | undefined> {
    return this.#times[0];
  }

  async due(now: number, limit: number): Promise<readonly Expiring[]> {
    const first = this.#times[0];
    return first === undefined || first > now ? [] : (this.#byTime.get(first) ?? []).slice(0, limit);
  }

  /** @param entries as they were due */
  async remove(entries: readonly Expiring[]): Promise<void> {
    if (entries.length === 0) return;
    const { expires } = entries[0];
    const rest = (this.#byTime.get(expires) ?? []).slice(entries.length);
    if (rest.length > 0) {
      this.#byTime.set(expires, rest);
      return;
    }
    this.#byTime.delete(expires);
    this.#times.splice(this.#times.indexOf(expires), 1);
  }
}
