import { aggregate } from '../../machinery/errors/aggregate.ts';

/** A value from storage as it was before it was transformed. */
export interface Transformed {
  readonly data: Uint8Array;
  /** The value should be written again although the object has not changed, as it would be transformed differently now. */
  readonly stale: boolean;
}

/** What a transformer knows of a value besides its bytes. */
export interface ValueContext {
  /** Identifies the value, so that it cannot be exchanged for another one: the key in storage, as UTF-8. */
  readonly authenticatedData: Uint8Array;
  /** For metrics: `secrets`, `deployments.apps`. */
  readonly resource: string;
}

/**
 * Changes values before they are written to an engine and after they are read from it. (apiserver pkg/storage/value
 * Transformer)
 */
export interface Transformer {
  /** Waits only if a remote service has to decrypt a key first. Throws, or rejects with, TransformError. */
  transformFromStorage(data: Uint8Array, context: ValueContext): Transformed | Promise<Transformed>;
  /** Throws TransformError. */
  transformToStorage(data: Uint8Array, context: ValueContext): Uint8Array;
}

/** The transformers of all resources. They may change while the server runs. */
export interface ResourceTransformers {
  transformerForResource(group: string, resource: string): Transformer;
  /** Calls the listener when values may be readable that were not, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** A value cannot be transformed. The message is for the people who run the server. */
export class TransformError extends Error {
  readonly isTransformError = true;
  /** The name of a gRPC status code, such as `Unavailable`, if a remote service failed. */
  readonly grpcCode: string | undefined;
  /** The value may be readable later, without a change of the configuration. */
  readonly isTemporary: boolean;

  constructor(message: string, { grpcCode, isTemporary = false }: { grpcCode?: string | undefined; isTemporary?: boolean } = {}) {
    super(message);
    this.grpcCode = grpcCode;
    this.isTemporary = isTemporary;
  }
}

/** Several errors as one, in the words of Go's aggregates. */
export function aggregateErrors(errors: readonly TransformError[]): TransformError {
  const [only, ...more] = errors;
  if (only && more.length === 0) return only;
  return new TransformError(aggregate(errors.map(({ message }) => message)), {
    grpcCode: errors.find(({ grpcCode }) => grpcCode !== undefined)?.grpcCode,
    isTemporary: errors.some(({ isTemporary }) => isTemporary),
  });
}

export const tooShort = (): TransformError => new TransformError('the stored data was shorter than the required size');

export function isTransformError(error: unknown): error is TransformError {
  return (error as Partial<TransformError> | undefined)?.isTransformError === true;
}
