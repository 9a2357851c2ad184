import { elementAt } from '../../machinery/collections/element-at.ts';
import type { TransformationMetrics } from './metrics.ts';
import { aggregateErrors, isTransformError, TransformError, type Transformed, type Transformer, type ValueContext } from './transformer.ts';

/** A transformer, and the prefix of its values. */
export interface PrefixTransformer {
  /** The transformer gets values without the prefix. "" matches all values. */
  readonly prefix: string;
  readonly transformer: Transformer;
}

interface PrefixTransformersOptions {
  /** The error for a value that matches no prefix. */
  readonly noMatch: string;
  readonly metrics: TransformationMetrics;
}

/**
 * Writes with the first transformer. Reads with each transformer whose prefix matches, until one succeeds. A value is
 * stale if another than the first one read it. (apiserver pkg/storage/value NewPrefixTransformers)
 */
export class PrefixTransformers implements Transformer {
  readonly #transformers: readonly (PrefixTransformer & { readonly bytes: Buffer })[];
  readonly #options: PrefixTransformersOptions;

  constructor(transformers: readonly PrefixTransformer[], options: PrefixTransformersOptions) {
    this.#transformers = transformers.map((one) => ({ ...one, bytes: Buffer.from(one.prefix) }));
    this.#options = options;
  }

  transformFromStorage(data: Uint8Array, context: ValueContext): Transformed | Promise<Transformed> {
    return this.#readFrom(0, { data, context, errors: [], start: performance.now() });
  }

  transformToStorage(data: Uint8Array, context: ValueContext): Uint8Array {
    const { metrics } = this.#options;
    const { resource } = context;
    const start = performance.now();
    const { prefix, bytes, transformer } = elementAt(this.#transformers, 0);
    const operation = { resource, type: 'to_storage', prefix, start } as const;
    try {
      const transformed = transformer.transformToStorage(data, context);
      metrics.record(operation);
      return bytes.length === 0 ? transformed : Buffer.concat([bytes, transformed]);
    } catch (error) {
      metrics.record(operation, error);
      throw error;
    }
  }

  /** Tries the transformers from `first` on. */
  #readFrom(first: number, attempt: ReadAttempt): Transformed | Promise<Transformed> {
    const { data, context } = attempt;
    for (let at = first; at < this.#transformers.length; at += 1) {
      const { bytes, transformer } = elementAt(this.#transformers, at);
      if (data.length < bytes.length || !bytes.equals(data.subarray(0, bytes.length))) continue;
      try {
        const result = transformer.transformFromStorage(data.subarray(bytes.length), context);
        if (!('then' in result)) return this.#succeed(at, result, attempt);
        return result.then(
          (transformed) => this.#succeed(at, transformed, attempt),
          (error: unknown) => {
            this.#fail(at, error, attempt);
            return this.#readFrom(at + 1, attempt);
          },
        );
      } catch (error) {
        this.#fail(at, error, attempt);
      }
    }
    if (attempt.errors.length > 0) throw aggregateErrors(attempt.errors);
    const { noMatch, metrics } = this.#options;
    const error = new TransformError(noMatch);
    const { resource } = context;
    metrics.record({ resource, type: 'from_storage', prefix: 'unknown', start: attempt.start }, error);
    throw error;
  }

  #succeed(at: number, { data, stale }: Transformed, { context, start }: ReadAttempt): Transformed {
    const prefix = this.#transformers[at]?.prefix || 'identity';
    this.#options.metrics.record({ resource: context.resource, type: 'from_storage', prefix, start });
    return { data, stale: stale || at !== 0 };
  }

  /** Records the error, except for the identity's, which only states that the value is encrypted. */
  #fail(at: number, error: unknown, { context, errors, start }: ReadAttempt): void {
    if (!isTransformError(error)) throw error;
    const prefix = this.#transformers[at]?.prefix;
    if (!prefix) return;
    this.#options.metrics.record({ resource: context.resource, type: 'from_storage', prefix, start }, error);
    errors.push(error);
  }
}

interface ReadAttempt {
  readonly data: Uint8Array;
  readonly context: ValueContext;
  readonly errors: TransformError[];
  /** A value of performance.now(). */
  readonly start: number;
}
