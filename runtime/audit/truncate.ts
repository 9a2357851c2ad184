import type { Backend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import type { PluginErrors } from './plugin-errors.ts';

/** Sizes in bytes. (plugin/pkg/audit/truncate Config) */
export interface TruncateConfig {
  /** The size above which events lose their bodies. Events that are still larger are dropped and counted. */
  readonly maxEventSize: number;
  /** Larger batches are split. */
  readonly maxBatchSize: number;
}

const pluginName = 'truncate';
/** The bytes of an event besides its members: braces, kind, apiVersion and a newline. */
const envelopeSize = 49;

/** Limits the sizes of events and batches. */
export class TruncateBackend implements Backend {
  readonly name: string;
  readonly #delegate: Backend;
  readonly #config: TruncateConfig;
  readonly #errors: PluginErrors;

  constructor(delegate: Backend, config: TruncateConfig, errors: PluginErrors) {
    this.#delegate = delegate;
    this.#config = config;
    this.#errors = errors;
    this.name = `${pluginName}<${delegate.name}>`;
  }

  processEvents(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const { maxEventSize, maxBatchSize } = this.#config;
    const tooLarge: AuditEvent[] = [];
    const batches: AuditEvent[][] = [];
    let batchSize = Number.POSITIVE_INFINITY;
    for (const event of events) {
      const fitting = this.#fitting(event);
      const size = sizeOf(fitting);
      if (size > maxEventSize) {
        tooLarge.push(fitting);
        continue;
      }
      if (batchSize + size > maxBatchSize) {
        batches.push([]);
        batchSize = 0;
      }
      batchSize += size;
      batches.at(-1)?.push(fitting);
    }
    if (tooLarge.length > 0) this.#errors.handle(pluginName, 'event is too large even after truncating', tooLarge);
    const results = batches.map((batch) => this.#delegate.processEvents(batch));
    if (!results.some((result) => result instanceof Promise)) return results.every(Boolean);
    return Promise.all(results).then((all) => all.every(Boolean));
  }

  shutdown(): Promise<void> {
    return this.#delegate.shutdown();
  }

  #fitting(event: AuditEvent): AuditEvent {
    const mayHaveBodies = event.fields.level === 'Request' || event.fields.level === 'RequestResponse';
    return mayHaveBodies && sizeOf(event) > this.#config.maxEventSize ? event.truncated() : event;
  }
}

const sizeOf = (event: AuditEvent): number => event.size + envelopeSize;
