import { createHash } from 'node:crypto';
import type { Clock } from '../machinery/clock.ts';
import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { TokenBucket } from '../machinery/token-bucket.ts';

export interface RateLimit {
  /** Identifies the limit. */
  readonly name: string;
  /** How many per second, for each key. */
  readonly qps: number;
  readonly burst: number;
  /** How many keys are remembered, at least. The oldest ones start over. */
  readonly cacheSize: number;
}

/** Limits of rates that hold for the whole server, whichever thread asks. */
export interface RateLimiters {
  /** Whether another one with this key is within the limit. */
  tryAccept(limit: RateLimit, key: string): boolean;
}

/** Longer keys, which clients choose, are remembered by their hash. */
const maxKeyLength = 64;

export class LocalRateLimiters implements RateLimiters {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, BoundedMap<string, TokenBucket>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  tryAccept({ name, qps, burst, cacheSize }: RateLimit, key: string): boolean {
    let buckets = this.#buckets.get(name);
    if (buckets === undefined) {
      buckets = new BoundedMap(2 * cacheSize);
      this.#buckets.set(name, buckets);
    }
    const known = key.length > maxKeyLength ? createHash('sha256').update(key).digest('base64') : key;
    let bucket = buckets.get(known);
    if (bucket === undefined) {
      bucket = new TokenBucket(qps, burst, this.#clock);
      buckets.set(known, bucket);
    }
    return bucket.tryTake();
  }
}
