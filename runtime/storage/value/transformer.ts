import { aggregate } from '../../machinery/errors/aggregate.ts';

/** A value from storage, after the reverse transformation. */
export interface Transformed {
  readonly data: Uint8Array;
  /** The current configuration would transform the value differently: write it again. */
  readonly stale: boolean;
}

/** The context of a value. */
export interface ValueContext {
  /** The key in storage, as UTF-8. It binds the value to its key, so that values cannot be exchanged. */
  readonly authenticatedData: Uint8Array;
  /** The label of metrics: `secrets`, `deployments.apps`. */
  readonly resource: string;
}

/** Transforms values before writes to an engine and after reads. (apiserver pkg/storage/value Transformer) */
export interface Transformer {
  /** Returns a promise only if a remote service must decrypt a key first. Throws, or rejects with, TransformError. */
  transformFromStorage(data: Uint8Array, context: ValueContext): Transformed | Promise<Transformed>;
  /** Throws TransformError. */
  transformToStorage(data: Uint8Array, context: ValueContext): Uint8Array;
}

/** The transformers of all resources. They may change at run time. */
export interface ResourceTransformers {
  transformerForResource(group: string, resource: string): Transformer;
  /** Calls the listener when unreadable values may have become readable. The returned function removes the listener. */
  onChange(listener: () => void): () => void;
}

/** A failed transformation of a value. The message is for operators. */
export class TransformError extends Error {
  readonly isTransformError = true;
  /** The name of the gRPC status code of a failed remote service, such as `Unavailable`. */
  readonly grpcCode: string | undefined;
  /** A later attempt may succeed without a change of the configuration. */
  readonly isTemporary: boolean;

  constructor(message: string, { grpcCode, isTemporary = false }: { grpcCode?: string | undefined; isTemporary?: boolean } = {}) {
    super(message);
    this.grpcCode = grpcCode;
    this.isTemporary = isTemporary;
  }
}

/** Joins errors into one, in the format of Go's aggregates. */
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
