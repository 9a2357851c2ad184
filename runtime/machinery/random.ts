import { randomBytes } from 'node:crypto';
import { uuid } from './uuid.ts';

/**
 * Chance as a dependency, so that a seed can decide it. Each call says what the value is for: `purpose`, a constant, and
 * `scope` and `name`, which thing of that kind. A seed makes the value of these and of how often they were asked for before, so
 * that it does not depend on what else happens.
 *
 * Secrets and nonces are not taken from here, but from node:crypto.
 */
export interface Random {
  /** A UUID. (RFC 9562, version 4) */
  uuid(purpose: string, scope?: string, name?: string): string;
  /** At least 0 and less than 1. */
  float(purpose: string, scope?: string, name?: string): number;
  /** At most a few hundred bytes. Nobody else has them. */
  bytes(size: number, purpose: string, scope?: string, name?: string): Buffer;
}

/** Random bytes are cheap only in large numbers. */
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
