import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../machinery/clock.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { TokenAuthenticator, TokenResult } from './token.ts';

/** The maximum number of cached tokens. (upstream: 32,768) */
const maxRecords = 16_384;

export interface TokenCacheOptions {
  /** Milliseconds for which a success is cached; 0 for never. */
  readonly successTtl: number;
  /** Milliseconds for which an unknown token is cached; 0 for never. Errors are not cached. */
  readonly failureTtl: number;
  readonly clock: Pick<Clock, 'now'>;
}

interface CacheRecord {
  readonly result: TokenResult;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Caches an authenticator's results by token and audiences. Concurrent requests with the same token share one call. The
 * cache holds only keyed hashes of tokens. (apiserver authentication/token/cache)
 */
export class CachedTokenAuthenticator implements TokenAuthenticator {
  readonly #authenticator: TokenAuthenticator;
  readonly #options: TokenCacheOptions;
  readonly #key = randomBytes(32);
  readonly #records = new BoundedMap<string, CacheRecord>(maxRecords);
  readonly #running = new Map<string, Promise<TokenResult>>();

  constructor(authenticator: TokenAuthenticator, options: TokenCacheOptions) {
    this.#authenticator = authenticator;
    this.#options = options;
  }

  authenticateToken(token: string, audiences: readonly string[]): TokenResult | Promise<TokenResult> {
    const hash = this.#hash(token, audiences);
    const record = this.#records.get(hash);
    if (record !== undefined && record.expiresAt > this.#options.clock.now()) return record.result;
    const running = this.#running.get(hash);
    if (running !== undefined) return running;
    const result = this.#authenticator.authenticateToken(token, audiences);
    if (!(result instanceof Promise)) return this.#remember(hash, result);
    const remembered = result.then((response) => this.#remember(hash, response)).finally(() => this.#running.delete(hash));
    this.#running.set(hash, remembered);
    return remembered;
  }

  #remember(hash: string, result: TokenResult): TokenResult {
    const { successTtl, failureTtl, clock } = this.#options;
    const ttl = result === undefined ? failureTtl : successTtl;
    if (ttl > 0) this.#records.set(hash, { result, expiresAt: clock.now() + ttl });
    return result;
  }

  #hash(token: string, audiences: readonly string[]): string {
    const hash = createHmac('sha256', this.#key).update(`${token.length}:`).update(token);
    for (const audience of audiences) hash.update(`${audience.length}:`).update(audience);
    return hash.digest('base64');
  }
}
