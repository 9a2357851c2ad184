import type { KeyObject } from 'node:crypto';

/**
 * Reports whether two public keys are the same. KeyObject.equals() leaves an error in OpenSSL if the key types differ,
 * which breaks the next read of a TLS connection.
 */
export const samePublicKey = (a: KeyObject, b: KeyObject): boolean => infoOf(a).equals(infoOf(b));

const infoOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
