import type { Clock } from '../../machinery/clock.ts';

/** Milliseconds. (cmd/kube-controller-manager/app/apps.go) */
const initialBackoff = 1000;
const maxBackoff = 15 * 60_000;
const sweepInterval = 60_000;

interface Entry {
  backoff: number;
  lastUpdate: number;
}

/** The delays before failed pods are replaced, by key. (client-go util/flowcontrol Backoff) */
export class FailedPodsBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #lastSweep = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the milliseconds until the next failure may be handled; undefined if it may be handled now. */
  waitOf(key: string): number | undefined {
    const now = this.#clock.now();
    const entry = this.#entries.get(key);
    if (entry === undefined || isExpired(entry, now)) return undefined;
    return now - entry.lastUpdate < entry.backoff ? entry.backoff : undefined;
  }

  /** Records that a failure is handled now. The next delay doubles, if the next failure comes soon. */
  next(key: string): void {
    const now = this.#clock.now();
    const entry = this.#entries.get(key);
    const isKnown = entry !== undefined && !isExpired(entry, now);
    this.#entries.set(key, {
      backoff: isKnown ? Math.min(2 * entry.backoff, maxBackoff) : initialBackoff,
      lastUpdate: now,
    });
    this.#sweep(now);
  }

  #sweep(now: number): void {
    if (now - this.#lastSweep < sweepInterval) return;
    this.#lastSweep = now;
    for (const [key, entry] of this.#entries) if (isExpired(entry, now)) this.#entries.delete(key);
  }
}

const isExpired = ({ lastUpdate }: Entry, now: number): boolean => now - lastUpdate > 2 * maxBackoff;
