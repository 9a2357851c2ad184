import type { Clock } from '../../../machinery/clock.ts';
import { Exposition, formatLabels } from '../../../machinery/metrics/exposition.ts';
import { hashIfNotEmpty } from '../encrypt/kmsv2/encrypted-object.ts';

/** (pkg/server/options/encryptionconfig/metrics) */
export class ReloadMetrics {
  readonly #clock: Clock;
  readonly #apiServerIDHash: string;
  readonly #reloads = new Map<'failure' | 'success', { count: number; last: number }>();
  /** The hash of the current file. */
  contentHash = '';

  constructor(clock: Clock, apiServerID: string) {
    this.#clock = clock;
    this.#apiServerIDHash = hashIfNotEmpty(apiServerID);
  }

  record(status: 'failure' | 'success'): void {
    const count = (this.#reloads.get(status)?.count ?? 0) + 1;
    this.#reloads.set(status, { count, last: this.#clock.now() / 1000 });
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const apiserver_id_hash = this.#apiServerIDHash;
    const prefix = 'apiserver_encryption_config_controller';
    const total = `${prefix}_automatic_reloads_total`;
    text.head(total, 'counter', '[ALPHA] Number of reloads of the encryption configuration by their result.');
    for (const [status, { count }] of this.#reloads) text.line(total, formatLabels({ apiserver_id_hash, status }), count);
    const last = `${prefix}_automatic_reload_last_timestamp_seconds`;
    text.head(last, 'gauge', '[ALPHA] The last reload with each result, in seconds since the Unix epoch.');
    for (const [status, reload] of this.#reloads) {
      text.line(last, formatLabels({ apiserver_id_hash, status }), reload.last);
    }
    const info = `${prefix}_last_config_info`;
    text.head(info, 'gauge', '[ALPHA] Always 1; a label has the hash of the encryption configuration in use.');
    text.line(info, formatLabels({ apiserver_id_hash, hash: this.contentHash }), 1);
    return text.toString();
  }
}
