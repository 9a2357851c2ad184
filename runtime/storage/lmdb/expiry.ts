import type { Expiring } from '../mvcc/expiry.ts';
import type { Buckets } from './buckets.ts';
import { seal, unseal } from './checksum.ts';
import { decodeRevision, encodeRevision } from './records.ts';

/** An entry of the bucket `expiry`. */
export interface ExpiryEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** @param expires milliseconds since 1970 */
export function encodeExpiry(key: string, expires: number, modRevision: number): ExpiryEntry {
  const at = expiryKey(expires, modRevision);
  return { key: at, value: seal(at, Buffer.from(key)) };
}

export function expiryKey(expires: number, modRevision: number): Buffer {
  return Buffer.concat([encodeRevision(expires), encodeRevision(modRevision)]);
}

/** Returns the first time at which a key expires. */
export function firstExpiry({ expiry }: Buckets): number | undefined {
  for (const key of expiry.getKeys({ start: Buffer.alloc(1), limit: 1 })) return decodeRevision(key);
  return undefined;
}

/**
 * Returns the states that have expired at `now`, in order of expiry. Skips damaged entries, which `store check`
 * reports.
 */
export function readExpired({ expiry }: Buckets, now: number, limit: number): readonly Expiring[] {
  const expired: Expiring[] = [];
  for (const { key, value } of expiry.getRange({ start: Buffer.alloc(1), end: encodeRevision(now + 1), limit })) {
    const name = unseal(key, value);
    if (name === undefined) continue;
    expired.push({ key: name.toString('utf8'), expires: decodeRevision(key), modRevision: decodeRevision(key, 8) });
  }
  return expired;
}
