import type { KeyObject } from 'node:crypto';

/**
 * Whether two public keys are the same. KeyObject.equals() leaves an error behind in OpenSSL if their types differ, which
 * breaks the next TLS connection that is read.
 */
export const samePublicKey = (a: KeyObject, b: KeyObject): boolean => infoOf(a).equals(infoOf(b));

const infoOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
