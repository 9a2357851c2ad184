import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits as text for URLs and headers. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Returns the hash of a secret. Only hashes are kept, so the memory of the server has no secret that opens anything. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
