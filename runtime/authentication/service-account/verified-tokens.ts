import { createHash } from 'node:crypto';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { TokenClaims } from './claims.ts';

export interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly user: UserInfo;
}

/**
 * Tokens with a valid signature, by their hash. Verifying a signature takes most of a millisecond, and every pod sends its
 * token with every request. Least recently used tokens are dropped beyond the limit.
 */
export class VerifiedTokens {
  readonly #tokens: BoundedMap<string, VerifiedToken>;

  constructor(limit: number) {
    this.#tokens = new BoundedMap(limit);
  }

  get size(): number {
    return this.#tokens.size;
  }

  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(hash(token));
  }

  add(token: string, verified: VerifiedToken): void {
    this.#tokens.set(hash(token), verified);
  }

  delete(token: string): void {
    this.#tokens.delete(hash(token));
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
