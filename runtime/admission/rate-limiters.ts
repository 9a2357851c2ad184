import { createHash } from 'node:crypto';
import type { Clock } from '../machinery/clock.ts';
import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { TokenBucket } from '../machinery/token-bucket.ts';

export interface RateLimit {
  /** The identity of the limit. */
  readonly name: string;
  /** Events per second for each key. */
  readonly qps: number;
  readonly burst: number;
  /** Minimum number of keys that are remembered. The oldest keys start over. */
  readonly cacheSize: number;
}

/** Rate limits for the whole server, shared by all threads. */
export interface RateLimiters {
  /** Reports whether another event with this key is within the limit. */
  tryAccept(limit: RateLimit, key: string): boolean;
}

/** Longer keys, which clients choose, are stored as hashes. */
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
