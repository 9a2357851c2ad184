import { type CipherGCMTypes, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { TransformError, type Transformed, type Transformer, tooShort, type ValueContext } from '../../transformer.ts';

const nonceSize = 12;
const tagSize = 16;

/**
 * AES-GCM with a random nonce: nonce (12 bytes), ciphertext, tag (16 bytes). The storage key is authenticated as well.
 * (encrypt/aes NewGCMTransformer)
 */
export class GCMTransformer implements Transformer {
  readonly #key: Uint8Array;
  readonly #cipher: CipherGCMTypes;

  /** @param key of 16, 24 or 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = key;
    this.#cipher = `aes-${key.length * 8}-gcm` as CipherGCMTypes;
  }

  transformFromStorage(data: Uint8Array, { authenticatedData }: ValueContext): Transformed {
    if (data.length < nonceSize) throw tooShort();
    if (data.length < nonceSize + tagSize) throw notAuthentic();
    const end = data.length - tagSize;
    const nonce = data.subarray(0, nonceSize);
    const decipher = createDecipheriv(this.#cipher, this.#key, nonce, { authTagLength: tagSize });
    decipher.setAAD(authenticatedData);
    decipher.setAuthTag(data.subarray(end));
    const plain = decipher.update(data.subarray(nonceSize, end));
    try {
      decipher.final();
    } catch {
      throw notAuthentic();
    }
    return { data: plain, stale: false };
  }

  transformToStorage(data: Uint8Array, { authenticatedData }: ValueContext): Uint8Array {
    const nonce = randomBytes(nonceSize);
    const cipher = createCipheriv(this.#cipher, this.#key, nonce, { authTagLength: tagSize });
    cipher.setAAD(authenticatedData);
    const encrypted = cipher.update(data);
    cipher.final();
    return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]);
  }
}

/** Returns the error of Go's crypto/cipher. */
const notAuthentic = (): TransformError => new TransformError('cipher: message authentication failed');
