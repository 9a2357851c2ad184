import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import type { Engine, KeyValue } from '../kv/engine.ts';
import { ValueEngine } from '../kv/value-engine.ts';
import type { StorageCodec } from './storage-codec.ts';

/**
 * An engine with JSON values, and with kube-apiserver's etcd format in the engine below. A value that cannot be decoded
 * keeps its stored form, with the reason.
 */
export class CodecEngine extends ValueEngine {
  readonly #codec: StorageCodec;

  constructor(below: Engine, codec: StorageCodec) {
    super(below);
    this.#codec = codec;
  }

  /** Reports whether a key has this revision, and its value would now be encoded differently. */
  async isStale(key: string, revision: number): Promise<boolean> {
    const stored = await this.below.get(key);
    if (stored?.modRevision !== revision || stored.transformError !== undefined) return false;
    try {
      return await this.#codec.isStale(stored.value);
    } catch (error) {
      if (!isDecodeError(error)) throw error;
      return false;
    }
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#codec.close();
  }

  protected toStorage(_key: string, value: Uint8Array): Uint8Array | Promise<Uint8Array> {
    return this.#codec.encode(value);
  }

  protected fromStorage(stored: KeyValue): KeyValue | Promise<KeyValue> {
    if (stored.transformError !== undefined) return stored;
    try {
      const value = this.#codec.decode(stored.value);
      if (!(value instanceof Promise)) return withValue(stored, value);
      return value.then(
        (decoded) => withValue(stored, decoded),
        (error: unknown) => undecodable(stored, error),
      );
    } catch (error) {
      return undecodable(stored, error);
    }
  }
}

function withValue(stored: KeyValue, decoded: Uint8Array): KeyValue {
  const { key, value, createRevision, modRevision } = stored;
  return decoded === value ? stored : { key, value: decoded, createRevision, modRevision };
}

function undecodable({ key, value, createRevision, modRevision }: KeyValue, error: unknown): KeyValue {
  if (!isDecodeError(error)) throw error;
  return { key, value, createRevision, modRevision, decodeError: error.message };
}
