import type { Clock } from '../machinery/clock.ts';
import { TokenBucket } from '../machinery/token-bucket.ts';
import type { Backend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import type { PluginErrors } from './plugin-errors.ts';

/** (plugin/pkg/audit/buffered BatchConfig) */
export interface BatchConfig {
  /** The maximum number of waiting events. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** The maximum milliseconds that an event waits for others. */
  readonly maxBatchWait: number;
  readonly throttleEnable: boolean;
  /** Batches per second, and the number of batches in a burst after a pause. */
  readonly throttleQPS: number;
  readonly throttleBurst: number;
  /** Whether a batch is sent without waiting for the previous batches. */
  readonly asyncDelegate: boolean;
}

export interface BufferedBackendOptions extends BatchConfig {
  readonly clock: Clock;
  readonly errors: PluginErrors;
}

const pluginName = 'buffered';
/** The maximum bytes of events that wait or are being sent. (upstream: no limit) */
const maxBufferedBytes = 256 * 1024 * 1024;
/** Milliseconds that shutdown waits for the delegate. (upstream: no limit) */
const shutdownTimeout = 10_000;

/** Sends events in batches, so that requests never wait. Events are dropped and counted while the buffer is full. */
export class BufferedBackend implements Backend {
  readonly name: string;
  readonly #delegate: Backend;
  readonly #options: BufferedBackendOptions;
  readonly #throttle: TokenBucket | undefined;
  readonly #sending = new Set<Promise<void>>();
  #waiting: AuditEvent[] = [];
  #bytes = 0;
  #isStopped = false;
  #cancelTimer: (() => void) | undefined;
  #pumping: Promise<void> | undefined;

  constructor(delegate: Backend, options: BufferedBackendOptions) {
    this.#delegate = delegate;
    this.#options = options;
    this.name = `${pluginName}<${delegate.name}>`;
    const { throttleEnable, throttleQPS, throttleBurst, clock } = options;
    if (throttleEnable) this.#throttle = new TokenBucket(throttleQPS, throttleBurst, clock);
  }

  processEvents(events: readonly AuditEvent[]): boolean {
    const { bufferSize, maxBatchSize, maxBatchWait, clock, errors } = this.#options;
    for (const [index, event] of events.entries()) {
      const isFull = this.#waiting.length >= bufferSize || this.#bytes + event.size > maxBufferedBytes;
      if (this.#isStopped || isFull) {
        const why = this.#isStopped ? 'audit backend shut down' : 'audit buffer queue blocked';
        errors.handle(pluginName, why, events.slice(index));
        break;
      }
      this.#waiting.push(event);
      this.#bytes += event.size;
    }
    if (this.#waiting.length >= maxBatchSize) this.#pump();
    else if (this.#waiting.length > 0) this.#cancelTimer ??= clock.after(maxBatchWait, () => this.#pump());
    return true;
  }

  async shutdown(): Promise<void> {
    this.#isStopped = true;
    let cancel = (): void => {};
    const expired = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(shutdownTimeout, resolve);
    });
    await Promise.race([this.#drain(), expired]);
    cancel();
    await this.#delegate.shutdown();
    await Promise.all(this.#sending);
  }

  async #drain(): Promise<void> {
    while (this.#pumping !== undefined || this.#waiting.length > 0) {
      this.#pump();
      await this.#pumping;
    }
    await Promise.all(this.#sending);
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#pumping ??= this.#sendBatches().finally(() => {
      this.#pumping = undefined;
      // events that came after the last batch start a new wait
      if (!this.#isStopped) this.processEvents([]);
    });
  }

  /** Sends the waiting events, and full batches that arrive meanwhile. */
  async #sendBatches(): Promise<void> {
    const { maxBatchSize, asyncDelegate } = this.#options;
    do {
      await this.#throttle?.take();
      const sending = this.#send(this.#waiting.splice(0, maxBatchSize));
      if (!asyncDelegate) await sending;
    } while (this.#waiting.length >= maxBatchSize);
  }

  #send(batch: readonly AuditEvent[]): Promise<void> {
    const sending = this.#deliver(batch).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    return sending;
  }

  async #deliver(batch: readonly AuditEvent[]): Promise<void> {
    if (batch.length > 0) await this.#delegate.processEvents(batch);
    for (const event of batch) this.#bytes -= event.size;
  }
}
