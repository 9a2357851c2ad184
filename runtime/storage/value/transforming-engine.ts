import { plainError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { formatGroupResource } from '../../machinery/gvk.ts';
import type { Engine, KeyValue } from '../kv/engine.ts';
import { ValueEngine } from '../kv/value-engine.ts';
import type { KeyedResource } from '../object-store/keyed-resources.ts';
import { isTransformError, type ResourceTransformers, type Transformed, type Transformer, type ValueContext } from './transformer.ts';

export interface TransformingEngineOptions {
  readonly transformers: ResourceTransformers;
  readonly resourceOf: (key: string) => KeyedResource;
}

/**
 * An engine that transforms values on their way to and from another engine. A value that cannot be transformed is
 * returned in its stored form, with the reason.
 */
export class TransformingEngine extends ValueEngine {
  readonly #transformers: ResourceTransformers;
  readonly #resourceOf: (key: string) => KeyedResource;

  constructor(below: Engine, { transformers, resourceOf }: TransformingEngineOptions) {
    super(below);
    this.#transformers = transformers;
    this.#resourceOf = resourceOf;
  }

  /** Reports whether a key has this revision and a value that is unreadable or would be transformed differently now. */
  async isStale(key: string, revision: number): Promise<boolean> {
    const stored = await this.below.get(key);
    if (stored?.modRevision !== revision) return false;
    try {
      return (await this.#transform(key, stored.value)).stale;
    } catch (error) {
      if (!isTransformError(error)) throw error;
      return true;
    }
  }

  /** @throws StatusError 500 if the value cannot be transformed */
  protected toStorage(key: string, value: Uint8Array): Uint8Array {
    const { transformer, context } = this.#transformerOf(key);
    try {
      return transformer.transformToStorage(value, context);
    } catch (error) {
      throw isTransformError(error) ? plainError(error.message) : error;
    }
  }

  /** @throws StatusError 500 for a temporary failure */
  protected fromStorage(stored: KeyValue): KeyValue | Promise<KeyValue> {
    try {
      const result = this.#transform(stored.key, stored.value);
      if (!('then' in result)) return withValue(stored, result.data);
      return result.then(
        ({ data }) => withValue(stored, data),
        (error: unknown) => unreadable(stored, error),
      );
    } catch (error) {
      return unreadable(stored, error);
    }
  }

  #transform(key: string, value: Uint8Array): Transformed | Promise<Transformed> {
    const { transformer, context } = this.#transformerOf(key);
    return transformer.transformFromStorage(value, context);
  }

  #transformerOf(key: string): { readonly transformer: Transformer; readonly context: ValueContext } {
    const { group, resource } = this.#resourceOf(key);
    const context = { authenticatedData: Buffer.from(key), resource: formatGroupResource({ group, resource }) };
    return { transformer: this.#transformers.transformerForResource(group, resource), context };
  }
}

function withValue(stored: KeyValue, data: Uint8Array): KeyValue {
  const { key, value, createRevision, modRevision } = stored;
  return data === value ? stored : { key, value: data, createRevision, modRevision };
}

/** @throws StatusError 500 for a temporary error */
function unreadable({ key, value, createRevision, modRevision }: KeyValue, error: unknown): KeyValue {
  if (!isTransformError(error)) throw error;
  if (error.isTemporary) throw plainError(`unable to transform key ${quote(key)}: ${error.message}`);
  return { key, value, createRevision, modRevision, transformError: error.message };
}
