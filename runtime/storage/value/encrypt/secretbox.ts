import { randomBytes } from 'node:crypto';
import { TransformError, type Transformed, type Transformer, tooShort } from '../transformer.ts';

const nonceSize = 24;
const overhead = 16;

type SecretBox = typeof import('@noble/ciphers/salsa.js').xsalsa20poly1305;

/** @param key 32 bytes */
export async function newSecretboxTransformer(key: Uint8Array): Promise<Transformer> {
  // only servers that use secretbox load the library
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js');
  return new SecretboxTransformer(key, xsalsa20poly1305);
}

/**
 * NaCl's secretbox, XSalsa20 and Poly1305, with a random nonce: nonce (24 bytes), tag (16 bytes), ciphertext. The
 * storage key is not authenticated. (encrypt/secretbox)
 */
class SecretboxTransformer implements Transformer {
  readonly #key: Uint8Array;
  readonly #secretBox: SecretBox;

  constructor(key: Uint8Array, secretBox: SecretBox) {
    this.#key = key;
    this.#secretBox = secretBox;
  }

  transformFromStorage(data: Uint8Array): Transformed {
    if (data.length < nonceSize + overhead) throw tooShort();
    try {
      const box = this.#secretBox(this.#key, data.subarray(0, nonceSize));
      return { data: box.decrypt(data.subarray(nonceSize)), stale: false };
    } catch {
      // upstream's error for a box that does not open
      throw new TransformError('output array was not large enough for encryption');
    }
  }

  transformToStorage(data: Uint8Array): Uint8Array {
    const nonce = randomBytes(nonceSize);
    return Buffer.concat([nonce, this.#secretBox(this.#key, nonce).encrypt(data)]);
  }
}
