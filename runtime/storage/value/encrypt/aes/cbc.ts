import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { TransformError, type Transformed, type Transformer, tooShort } from '../../transformer.ts';

const blockSize = 16;

/**
 * AES-CBC with a random initialization vector and PKCS#7 padding: vector (16 bytes), ciphertext. It is not
 * authenticated. (encrypt/aes NewCBCTransformer)
 */
export class CBCTransformer implements Transformer {
  readonly #key: Uint8Array;
  readonly #cipher: string;

  /** @param key of 16, 24 or 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = key;
    this.#cipher = `aes-${key.length * 8}-cbc`;
  }

  transformFromStorage(data: Uint8Array): Transformed {
    if (data.length < blockSize) throw tooShort();
    if (data.length % blockSize !== 0) throw new TransformError('the stored data is not a multiple of the block size');
    const decipher = createDecipheriv(this.#cipher, this.#key, data.subarray(0, blockSize));
    decipher.setAutoPadding(false);
    return { data: unpad(decipher.update(data.subarray(blockSize))), stale: false };
  }

  transformToStorage(data: Uint8Array): Uint8Array {
    const vector = randomBytes(blockSize);
    const cipher = createCipheriv(this.#cipher, this.#key, vector);
    return Buffer.concat([vector, cipher.update(data), cipher.final()]);
  }
}

function unpad(padded: Buffer): Buffer {
  const padding = padded.at(-1) ?? 0;
  if (padding === 0 || padding > padded.length) throw new TransformError('invalid PKCS7 data (empty or not padded)');
  const size = padded.length - padding;
  if (!padded.subarray(size).every((byte) => byte === padding)) throw new TransformError('invalid padding on input');
  return padded.subarray(0, size);
}
