import { createHmac, randomBytes } from 'node:crypto';
import { TransformError, type Transformed, type Transformer, tooShort, type ValueContext } from '../../transformer.ts';
import { GCMTransformer } from './gcm.ts';

/** Bytes of seeds, of infos and of derived keys. */
const size = 32;

/**
 * AES-GCM with a key for each value, derived from a seed and random bytes: info (32 bytes), then the format of
 * GCMTransformer. A seed never wears out. (encrypt/aes NewHKDFExtendedNonceGCMTransformer, KEP-3299)
 */
export class ExtendedNonceGCMTransformer implements Transformer {
  readonly #seed: Uint8Array;

  constructor(seed: Uint8Array) {
    if (seed.length < size) throw new TransformError(`invalid seed length ${seed.length} used for key generation`);
    this.#seed = seed;
  }

  transformFromStorage(data: Uint8Array, context: ValueContext): Transformed {
    if (data.length < size) throw tooShort();
    const key = this.#expand(data.subarray(0, size));
    return new GCMTransformer(key).transformFromStorage(data.subarray(size), context);
  }

  transformToStorage(data: Uint8Array, context: ValueContext): Uint8Array {
    const info = randomBytes(size);
    return Buffer.concat([info, new GCMTransformer(this.#expand(info)).transformToStorage(data, context)]);
  }

  /** HKDF-Expand with SHA-256 of RFC 5869, for one block of output. */
  #expand(info: Uint8Array): Uint8Array {
    return createHmac('sha256', this.#seed).update(info).update(Uint8Array.of(1)).digest();
  }
}
