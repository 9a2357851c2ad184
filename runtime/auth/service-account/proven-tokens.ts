import { createHash } from 'node:crypto';
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
  readonly #limit: number;
  readonly #tokens = new Map<string, ProvenToken>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#tokens.size;
  }

  get(token: string): ProvenToken | undefined {
    const key = hash(token);
    const found = this.#tokens.get(key);
    if (found !== undefined) {
      this.#tokens.delete(key);
      this.#tokens.set(key, found);
    }
    return found;
  }

  add(token: string, proven: ProvenToken): void {
    this.#tokens.set(hash(token), proven);
    for (const key of this.#tokens.keys()) {
      if (this.#tokens.size <= this.#limit) break;
      this.#tokens.delete(key);
    }
  }

  forget(token: string): void {
    this.#tokens.delete(hash(token));
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
