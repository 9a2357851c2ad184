import { seal, unseal } from './checksum.ts';
import { decodeRevision, encodeRevision } from './records.ts';

/** An entry of the bucket `expiry`. */
export interface ExpiryEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** @param expires in milliseconds since 1970 */
export function encodeExpiry(key: string, expires: number, modRevision: number): ExpiryEntry {
  const at = expiryKey(expires, modRevision);
  return { key: at, value: seal(at, Buffer.from(key)) };
}

export function expiryKey(expires: number, modRevision: number): Buffer {
  return Buffer.concat([encodeRevision(expires), encodeRevision(modRevision)]);
}

/** Undefined if the entry is damaged. */
export function decodeExpiry({ key, value }: ExpiryEntry) {
  const name = unseal(key, value);
  if (name === undefined) return undefined;
  return { key: name.toString('utf8'), expires: decodeRevision(key), modRevision: decodeRevision(key, 8) };
}
