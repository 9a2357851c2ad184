import type { Clock } from './clock.ts';

/**
 * Limits callers to a rate, and allows a burst after a pause. (client-go util/flowcontrol NewTokenBucketRateLimiter)
 */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #tokens: number;
  #updated: number;
  #last: Promise<void> = Promise.resolve();

  /**
   * @param rate tokens per second, more than 0
   * @param burst the most tokens, at least 1
   */
  constructor(rate: number, burst: number, clock: Clock) {
    this.#rate = rate;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#updated = clock.now();
  }

  /**
   * Waits for a token. Callers are served in order.
   *
   * @param signal ends the wait when it is aborted
   */
  take(signal?: AbortSignal): Promise<void> {
    this.#last = this.#last.then(() => (signal?.aborted ? undefined : this.#takeNext()));
    return this.#last;
  }

  async #takeNext(): Promise<void> {
    this.#refill();
    if (this.#tokens < 1) {
      const wait = Math.ceil(((1 - this.#tokens) / this.#rate) * 1000);
      await new Promise<void>((resolve) => {
        this.#clock.after(wait, resolve);
      });
      this.#refill();
    }
    this.#tokens -= 1;
  }

  /** Takes a token if one is available. Returns whether it did. (TryAccept) */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(): void {
    const now = this.#clock.now();
    const earned = (Math.max(0, now - this.#updated) / 1000) * this.#rate;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#updated = now;
  }
}
