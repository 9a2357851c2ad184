import type { Clock } from '../../../../machinery/clock.ts';
import { BoundedHistogram } from '../../../../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels } from '../../../../machinery/metrics/exposition.ts';
import { exponentialBounds, memberOf } from '../../metrics.ts';
import { hashIfNotEmpty } from './encrypted-object.ts';

/** The most key IDs in metrics, the last used ones: a service can create new ones at any time. */
const maxKeyIDs = 100;

interface KMSOperation {
  readonly providerName: string;
  readonly method: string;
  /** The gRPC code. */
  readonly code: string;
  /** A value of performance.now(). */
  readonly start: number;
}

interface KeyIDUse {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
  /** Milliseconds since the epoch. */
  last: number;
}

/** The metrics of key management services. (envelope/metrics) */
export class EnvelopeMetrics {
  readonly #clock: Clock;
  readonly #apiServerIDHash: string;
  readonly #operations = new Map<string, { readonly labels: string; readonly histogram: BoundedHistogram }>();
  readonly #uses = new Map<string, KeyIDUse>();
  readonly #statuses = new Map<string, KeyIDUse>();
  readonly #invalid = new Map<string, { readonly labels: string; count: number }>();
  readonly #cacheSizes = new Map<string, number>();

  constructor(clock: Clock, apiServerID: string) {
    this.#clock = clock;
    this.#apiServerIDHash = hashIfNotEmpty(apiServerID);
  }

  recordOperation({ providerName, method, code, start }: KMSOperation): void {
    const make = () => ({
      labels: formatLabels({ grpc_status_code: code, method_name: method, provider_name: providerName }),
      histogram: new BoundedHistogram(exponentialBounds(0.0001, 20)),
    });
    memberOf(this.#operations, `${providerName} ${method} ${code}`, make).histogram.observeSince(start);
  }

  /** Records that a key encrypted or decrypted a value. */
  recordKeyID(type: 'from_storage' | 'to_storage', providerName: string, keyID: string): void {
    const key = `${type} ${providerName} ${keyID}`;
    this.#use(this.#uses, key, () => ({ ...this.#labelsOf(providerName, keyID), transformation_type: type }));
  }

  /** Records the key in a service's status. */
  recordKeyIDFromStatus(providerName: string, keyID: string): void {
    this.#use(this.#statuses, `${providerName} ${keyID}`, () => this.#labelsOf(providerName, keyID));
  }

  recordInvalidKeyIDFromStatus(providerName: string, error: string): void {
    const labels = formatLabels({ error, provider_name: providerName });
    memberOf(this.#invalid, labels, () => ({ labels, count: 0 })).count++;
  }

  recordDEKSourceCacheSize(providerName: string, size: number): void {
    this.#cacheSizes.set(providerName, size);
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const prefix = 'apiserver_envelope_encryption';
    text.head(
      `${prefix}_kms_operations_latency_seconds`,
      'histogram',
      '[ALPHA] Seconds that calls of key management services take, by status code.',
    );
    for (const { labels, histogram } of this.#operations.values()) {
      text.histogram(`${prefix}_kms_operations_latency_seconds`, labels, histogram);
    }
    text.head(`${prefix}_key_id_hash_total`, 'counter', '[ALPHA] Number of uses of a key.');
    for (const { labels, count } of this.#uses.values()) {
      text.line(`${prefix}_key_id_hash_total`, formatLabels(labels), count);
    }
    const last = `${prefix}_key_id_hash_last_timestamp_seconds`;
    text.head(last, 'gauge', '[ALPHA] The last use of a key, in seconds since the Unix epoch.');
    for (const use of this.#uses.values()) text.line(last, formatLabels(use.labels), use.last / 1000);
    const status = `${prefix}_key_id_hash_status_last_timestamp_seconds`;
    text.head(status, 'gauge', '[ALPHA] The last status that named a key, in seconds since the Unix epoch.');
    for (const use of this.#statuses.values()) text.line(status, formatLabels(use.labels), use.last / 1000);
    const invalid = `${prefix}_invalid_key_id_from_status_total`;
    text.head(invalid, 'counter', '[ALPHA] Number of statuses with an invalid key ID, by problem.');
    for (const { labels, count } of this.#invalid.values()) text.line(invalid, labels, count);
    const sizes = `${prefix}_dek_source_cache_size`;
    text.head(sizes, 'gauge', '[ALPHA] Number of cached sources of data encryption keys.');
    for (const [providerName, size] of this.#cacheSizes) {
      text.line(sizes, formatLabels({ provider_name: providerName }), size);
    }
    return text.toString();
  }

  #labelsOf(providerName: string, keyID: string): Record<string, string> {
    return {
      apiserver_id_hash: this.#apiServerIDHash,
      key_id_hash: hashIfNotEmpty(keyID),
      provider_name: providerName,
    };
  }

  #use(uses: Map<string, KeyIDUse>, key: string, labels: () => Readonly<Record<string, string>>): void {
    const use = uses.get(key) ?? { labels: labels(), count: 0, last: 0 };
    use.count++;
    use.last = this.#clock.now();
    // keeps keys in the order of their last use
    uses.delete(key);
    uses.set(key, use);
    if (uses.size > maxKeyIDs) for (const oldest of uses.keys()) return void uses.delete(oldest);
  }
}
