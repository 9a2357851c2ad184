import type { Clock } from '../../../../machinery/clock.ts';
import type { Transformer } from '../../transformer.ts';

/** Milliseconds for which an unused key is cached. */
const ttl = 24 * 60 * 60 * 1000;

/**
 * Transformers by the hash of their key's encrypted source. A transformer never becomes invalid: the time to live only
 * limits their number. (envelope/kmsv2 simpleCache)
 */
export class DEKSourceCache {
  readonly #clock: Clock;
  readonly #onSize: (size: number) => void;
  /** Transformers in the order of their expiry. */
  readonly #records = new Map<string, { readonly transformer: Transformer; readonly expires: number }>();

  constructor(clock: Clock, onSize: (size: number) => void) {
    this.#clock = clock;
    this.#onSize = onSize;
  }

  get(key: string): Transformer | undefined {
    return this.#records.get(key)?.transformer;
  }

  set(key: string, transformer: Transformer): void {
    const now = this.#clock.now();
    this.#records.delete(key);
    this.#records.set(key, { transformer, expires: now + ttl });
    for (const [oldest, { expires }] of this.#records) {
      if (expires > now) break;
      this.#records.delete(oldest);
    }
    this.#onSize(this.#records.size);
  }
}
