import { createHash } from 'node:crypto';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { TokenClaims } from './claims.ts';

export interface ProvenToken {
  readonly claims: TokenClaims;
  readonly user: UserInfo;
}

/**
 * Tokens whose signature was found good, by their hash: a signature costs a good part of a millisecond, on every request
 * of every pod. Only so many are kept; those not seen for the longest time go first.
 */
export class ProvenTokens {
  readonly #tokens: BoundedMap<string, ProvenToken>;

  constructor(limit: number) {
    this.#tokens = new BoundedMap(limit);
  }

  get size(): number {
    return this.#tokens.size;
  }

  get(token: string): ProvenToken | undefined {
    return this.#tokens.get(hash(token));
  }

  add(token: string, proven: ProvenToken): void {
    this.#tokens.set(hash(token), proven);
  }

  forget(token: string): void {
    this.#tokens.delete(hash(token));
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
