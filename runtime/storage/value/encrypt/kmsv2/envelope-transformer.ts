import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../machinery/clock.ts';
import { GRPCError } from '../../../grpc/grpc-status.ts';
import type { TransformationMetrics } from '../../metrics.ts';
import { TransformError, type Transformed, type Transformer, type ValueContext } from '../../transformer.ts';
import { ExtendedNonceGCMTransformer } from '../aes/extended-nonce-gcm.ts';
import { GCMTransformer } from '../aes/gcm.ts';
import { DEKSourceCache } from './dek-source-cache.ts';
import {
  cacheKeyOf,
  decodeEncryptedObject,
  EncryptedDEKSourceType,
  type EncryptedObject,
  encodeEncryptedObject,
} from './encrypted-object.ts';
import type { EncryptionState } from './encryption-state.ts';
import type { EnvelopeMetrics } from './envelope-metrics.ts';
import type { KMSService } from './kms-service.ts';

export interface EnvelopeTransformerOptions {
  readonly service: KMSService;
  readonly providerName: string;
  /** @throws TransformError if there is no state yet */
  readonly state: () => EncryptionState;
  readonly clock: Clock;
  readonly metrics: TransformationMetrics;
  readonly envelopeMetrics: EnvelopeMetrics;
}

/** Codes after which another call may succeed. Other codes mean that this key cannot be decrypted. */
const temporaryCodes: ReadonlySet<string> = new Set(['Canceled', 'DeadlineExceeded', 'ResourceExhausted', 'Aborted', 'Unavailable']);

/**
 * Encrypts values with keys that a key management service encrypts. The encrypted source of the key is stored with the
 * value. (envelope/kmsv2 NewEnvelopeTransformer)
 */
export class EnvelopeTransformer implements Transformer {
  readonly #options: EnvelopeTransformerOptions;
  readonly #cache: DEKSourceCache;
  /** Running decryptions by cache key. */
  readonly #decrypting = new Map<string, Promise<Transformer>>();

  constructor(options: EnvelopeTransformerOptions) {
    const { clock, providerName, envelopeMetrics } = options;
    this.#options = options;
    this.#cache = new DEKSourceCache(clock, (size) => envelopeMetrics.recordDEKSourceCacheSize(providerName, size));
  }

  transformFromStorage(data: Uint8Array, context: ValueContext): Transformed | Promise<Transformed> {
    const object = decodeEncryptedObject(data);
    // needed for cached keys, too: staleness depends on the state
    const { source } = this.#options.state();
    const isStale = object.keyID !== source.keyID || object.encryptedDEKSourceType !== source.encryptedDEKSourceType;
    const open = (transformer: Transformer): Transformed | Promise<Transformed> => {
      const { envelopeMetrics, providerName } = this.#options;
      envelopeMetrics.recordKeyID('from_storage', providerName, object.keyID);
      const opened = transformer.transformFromStorage(object.encryptedData, context);
      return isStale && !('then' in opened) ? { data: opened.data, stale: true } : opened;
    };
    const key = cacheKeyOf(object);
    const cached = this.#cache.get(key);
    return cached === undefined ? this.#decryptOnce(key, object).then(open) : open(cached);
  }

  transformToStorage(data: Uint8Array, context: ValueContext): Uint8Array {
    const { state: current, clock, envelopeMetrics, providerName } = this.#options;
    const state = current();
    state.checkCanEncrypt(clock.now());
    // lets values that are written now be read without a call
    this.#cache.set(state.cacheKey, state.transformer);
    const encryptedData = state.transformer.transformToStorage(data, context);
    envelopeMetrics.recordKeyID('to_storage', providerName, state.source.keyID);
    return encodeEncryptedObject({ ...state.source, encryptedData });
  }

  #decryptOnce(key: string, object: EncryptedObject): Promise<Transformer> {
    let decrypting = this.#decrypting.get(key);
    if (decrypting === undefined) {
      decrypting = this.#decrypt(key, object).finally(() => this.#decrypting.delete(key));
      this.#decrypting.set(key, decrypting);
    }
    return decrypting;
  }

  async #decrypt(key: string, object: EncryptedObject): Promise<Transformer> {
    const { service, metrics } = this.#options;
    const { encryptedDEKSource: ciphertext, keyID, annotations, encryptedDEKSourceType } = object;
    metrics.recordCacheMiss();
    const source = await service.decrypt(randomUUID(), { ciphertext, keyID, annotations }).catch((error: Error) => {
      throw decryptError(error);
    });
    const isSeed = encryptedDEKSourceType === EncryptedDEKSourceType.HKDF_SHA256_XNONCE_AES_GCM_SEED;
    const transformer = isSeed ? new ExtendedNonceGCMTransformer(source) : newGCMTransformer(source);
    this.#cache.set(key, transformer);
    return transformer;
  }
}

function decryptError(error: Error): TransformError {
  const grpcCode = error instanceof GRPCError ? error.code : undefined;
  const isTemporary = grpcCode === undefined || temporaryCodes.has(grpcCode);
  return new TransformError(`failed to decrypt DEK, error: ${error.message}`, { grpcCode, isTemporary });
}

/**
 * Returns a transformer with a foreign key.
 *
 * @throws TransformError
 */
function newGCMTransformer(key: Uint8Array): GCMTransformer {
  if (key.length === 16 || key.length === 24 || key.length === 32) return new GCMTransformer(key);
  throw new TransformError(`crypto/aes: invalid key size ${key.length}`);
}
