import { hash } from 'node:crypto';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { UserInfo } from '../../machinery/user-info.ts';

export interface VerifiedToken<Claims> {
  readonly claims: Claims;
  readonly user: UserInfo;
}

/**
 * A cache of tokens with a valid signature, by their hash. Verifying a signature takes most of a millisecond, and every
 * pod sends its token with every request. At the limit, the least recently used tokens are dropped.
 */
export class VerifiedTokens<Claims> {
  readonly #tokens: BoundedMap<string, VerifiedToken<Claims>>;

  constructor(limit: number) {
    this.#tokens = new BoundedMap(limit);
  }

  get size(): number {
    return this.#tokens.size;
  }

  keyOf(token: string): string {
    return hash('sha256', token, 'base64');
  }

  get(key: string): VerifiedToken<Claims> | undefined {
    return this.#tokens.get(key);
  }

  add(key: string, verified: VerifiedToken<Claims>): void {
    this.#tokens.set(key, verified);
  }

  delete(key: string): void {
    this.#tokens.delete(key);
  }
}
