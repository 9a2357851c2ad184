import { createHash } from 'node:crypto';
import type { Clock } from '../machinery/clock.ts';
import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { aggregate } from '../machinery/errors/aggregate.ts';
import { tooManyRequests } from '../machinery/errors/status.ts';
import { TokenBucket } from '../machinery/token-bucket.ts';

export interface RateLimit {
  /** The identity of the limit. */
  readonly name: string;
  /** The type of the limit in errors, for example `Namespace`. */
  readonly type: string;
  /** Events per second for each key. */
  readonly qps: number;
  readonly burst: number;
  /** Minimum number of keys that are remembered. The oldest keys start over. */
  readonly cacheSize: number;
}

/** An event as one limit counts it. */
export interface LimitedEvent {
  readonly limit: RateLimit;
  readonly key: string;
}

/** Rate limits for the whole server. */
export interface RateLimiters {
  /**
   * Counts an event by each of its limits.
   *
   * @throws StatusError 429 with every exceeded limit
   */
  accept(events: readonly LimitedEvent[]): void;
}

/** Longer keys, which clients choose, are stored as hashes. */
const maxKeyLength = 64;

export class LocalRateLimiters implements RateLimiters {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, BoundedMap<string, TokenBucket>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  accept(events: readonly LimitedEvent[]): void {
    const errors = events
      .filter(({ limit, key }) => !this.#tryAccept(limit, key))
      .map(({ limit, key }) => `limit reached on type ${limit.type} for key ${key}`);
    if (errors.length > 0) throw tooManyRequests(aggregate(errors), 0);
  }

  #tryAccept({ name, qps, burst, cacheSize }: RateLimit, key: string): boolean {
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
