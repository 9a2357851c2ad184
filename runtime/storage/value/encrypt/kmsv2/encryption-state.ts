import { randomBytes } from 'node:crypto';
import { timeText } from '../../../../machinery/scalars/time.ts';
import type { TransformationMetrics } from '../../metrics.ts';
import { TransformError, type Transformer } from '../../transformer.ts';
import { ExtendedNonceGCMTransformer } from '../aes/extended-nonce-gcm.ts';
import {
  cacheKeyOf,
  type EncryptedDEKSource,
  EncryptedDEKSourceType,
  hashIfNotEmpty,
  validateEncryptedDEKSource,
} from './encrypted-object.ts';
import type { KMSService } from './kms-service.ts';

const seedSize = 32;

/** The encryption of values until the service changes its key. (envelope/kmsv2 State) */
export class EncryptionState {
  readonly transformer: Transformer;
  readonly source: EncryptedDEKSource;
  readonly cacheKey: string;
  /** Milliseconds since the epoch. Values can still be read after that. */
  readonly expires: number;

  constructor(transformer: Transformer, source: EncryptedDEKSource, expires: number) {
    this.transformer = transformer;
    this.source = source;
    this.cacheKey = cacheKeyOf(source);
    this.expires = expires;
  }

  /** Returns the state with another expiry. */
  extended(expires: number): EncryptionState {
    return new EncryptionState(this.transformer, this.source, expires);
  }

  /**
   * (ValidateEncryptCapability)
   *
   * @throws TransformError
   */
  checkCanEncrypt(now: number): void {
    if (now <= this.expires) return;
    const hash = hashIfNotEmpty(this.source.keyID);
    throw new TransformError(
      `encryptedDEKSource with keyID hash ${JSON.stringify(hash)} expired at ${timeText(this.expires)} (current time is ${timeText(now)})`,
    );
  }
}

/**
 * Creates a seed, which the service encrypts. (envelope/kmsv2 GenerateTransformer)
 *
 * @throws Error, also for an invalid response
 */
export async function generateTransformer(
  service: KMSService,
  uid: string,
  metrics: TransformationMetrics,
): Promise<{ transformer: Transformer; source: EncryptedDEKSource }> {
  const start = performance.now();
  const seed = randomBytes(seedSize);
  metrics.recordDataKeyGeneration(start);
  const transformer = new ExtendedNonceGCMTransformer(seed);
  const { ciphertext, keyID, annotations } = await service.encrypt(uid, seed).catch((error: Error) => {
    throw new Error(`failed to encrypt DEK, error: ${error.message}`);
  });
  const encryptedDEKSourceType = EncryptedDEKSourceType.HKDF_SHA256_XNONCE_AES_GCM_SEED;
  const source = { keyID, encryptedDEKSource: ciphertext, annotations, encryptedDEKSourceType };
  validateEncryptedDEKSource(source);
  return { transformer, source };
}
