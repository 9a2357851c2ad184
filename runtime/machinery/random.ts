import { randomBytes } from 'node:crypto';
import { uuid } from './uuid.ts';

/**
 * Random values as a dependency, so that a seed can decide them. Each call says its use: `purpose` is a constant,
 * `scope` and `name` identify a thing of that kind. A seeded value depends on these three and on the number of earlier
 * calls with them, and on nothing else.
 *
 * Secrets and nonces come from node:crypto instead.
 */
export interface Random {
  /** A UUID. (RFC 9562, version 4) */
  uuid(purpose: string, scope?: string, name?: string): string;
  /** At least 0 and less than 1. */
  float(purpose: string, scope?: string, name?: string): number;
  /** At most a few hundred bytes, in a buffer that the caller owns. */
  bytes(size: number, purpose: string, scope?: string, name?: string): Buffer;
}

/** The number of random bytes to fetch at once, since small amounts are expensive. */
const poolSize = 1024;
let pool = Buffer.alloc(0);

export const systemRandom: Random = {
  uuid: () => uuid(),
  float: () => Math.random(),
  bytes(size) {
    if (pool.length < size) pool = randomBytes(Math.max(poolSize, size));
    const bytes = pool.subarray(0, size);
    pool = pool.subarray(size);
    return bytes;
  },
};
