/* A kubelet's delays between retries. (client-go util/flowcontrol Backoff; MaxCrashLoopBackOff) */

const initial = 10_000;
const longest = 300_000;

interface Entry {
  readonly delay: number;
  readonly since: number;
}

/** Delays in milliseconds that double with each failure, and start anew after a time without failures. */
export class BackOff {
  readonly #entries = new Map<string, Entry>();

  /** Returns the end of the delay after a failure; undefined if there is no delay. */
  until(key: string, failedAt: number, now: number): number | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || now - entry.since > 2 * longest) return undefined;
    return now - failedAt < entry.delay ? failedAt + entry.delay : undefined;
  }

  delay(key: string): number {
    return this.#entries.get(key)?.delay ?? 0;
  }

  /** Counts a failure. */
  next(key: string, failedAt: number, now: number): void {
    const entry = this.#entries.get(key);
    const isExpired = entry === undefined || failedAt - entry.since > 2 * longest;
    this.#entries.set(key, { delay: isExpired ? initial : Math.min(2 * entry.delay, longest), since: now });
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Restores the delay if only the number of earlier failures is known. */
  restore(key: string, failures: number, now: number): void {
    if (failures > 0) this.#entries.set(key, { delay: Math.min(initial * 2 ** (failures - 1), longest), since: now });
  }
}
