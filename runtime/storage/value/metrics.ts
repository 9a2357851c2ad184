import { BoundedHistogram } from '../../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';
import { isTransformError } from './transformer.ts';

export interface TransformationOperation {
  readonly resource: string;
  readonly type: 'from_storage' | 'to_storage';
  /** The prefix of the transformer. */
  readonly prefix: string;
  /** A value of performance.now(). */
  readonly start: number;
}

/** Returns `count` bounds: `first`, and then twice the previous one. */
export const exponentialBounds = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => first * 2 ** at);

/** Returns the member of a map. Creates it with `make` if it is absent. */
export function memberOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  let member = map.get(key);
  if (member === undefined) {
    member = make();
    map.set(key, member);
  }
  return member;
}

interface Latency extends Pick<TransformationOperation, 'type' | 'prefix'> {
  readonly histogram: BoundedHistogram;
}

interface OperationCount extends Pick<TransformationOperation, 'resource' | 'type' | 'prefix'> {
  readonly status: string;
  count: number;
}

/** The metrics of transformers. (apiserver pkg/storage/value/metrics.go) */
export class TransformationMetrics {
  /** Latencies by the values of their labels. */
  readonly #latencies = new Map<string, Latency>();
  readonly #operations = new Map<string, OperationCount>();
  readonly #keyGenerations = new BoundedHistogram(exponentialBounds(5e-6, 14));
  #cacheMisses = 0;

  /** @param error the reason for the failure */
  record({ resource, type, prefix, start }: TransformationOperation, error?: unknown): void {
    const status = statusOf(error);
    const key = `${type} ${prefix} ${status} ${resource}`;
    memberOf(this.#operations, key, () => ({ count: 0, resource, type, prefix, status })).count++;
    if (error !== undefined) return;
    const latency = (): Latency => ({ type, prefix, histogram: new BoundedHistogram(exponentialBounds(5e-6, 25)) });
    memberOf(this.#latencies, `${type} ${prefix}`, latency).histogram.observeSince(start);
  }

  /** Records that decrypting a data encryption key needed the key encryption key. */
  recordCacheMiss(): void {
    this.#cacheMisses++;
  }

  recordDataKeyGeneration(start: number): void {
    this.#keyGenerations.observeSince(start);
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const latency = 'apiserver_storage_transformation_duration_seconds';
    text.head(latency, 'histogram', '[ALPHA] Seconds that transformations of stored values take.');
    for (const { type, prefix, histogram } of this.#latencies.values()) {
      text.histogram(latency, formatLabels({ transformation_type: type, transformer_prefix: prefix }), histogram);
    }
    const operations = 'apiserver_storage_transformation_operations_total';
    text.head(operations, 'counter', '[ALPHA] Number of transformations of stored values by their result.');
    for (const { count, resource, status, type, prefix } of this.#operations.values()) {
      const labels = { resource, status, transformation_type: type, transformer_prefix: prefix };
      text.line(operations, formatLabels(labels), count);
    }
    const misses = 'apiserver_storage_envelope_transformation_cache_misses_total';
    text.head(misses, 'counter', '[ALPHA] Number of data encryption keys that were not in the cache.');
    text.line(misses, '', this.#cacheMisses);
    const generation = 'apiserver_storage_data_key_generation_duration_seconds';
    text.head(generation, 'histogram', '[ALPHA] Seconds that the generation of data encryption keys takes.');
    text.histogram(generation, '', this.#keyGenerations);
    const failures = 'apiserver_storage_data_key_generation_failures_total';
    text.head(failures, 'counter', '[ALPHA] Number of failed generations of data encryption keys.');
    text.line(failures, '', 0);
    return text.toString();
  }
}

/** Returns the status label: a gRPC code, or a failure without one. */
export function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  return (isTransformError(error) ? error.grpcCode : undefined) ?? 'unknown-non-grpc';
}
