import { type Backoff, withExponentialBackoff } from '../client/webhook/backoff.ts';
import type { GenericWebhook } from '../client/webhook/generic-webhook.ts';
import type { Clock } from '../machinery/clock.ts';
import { isDecodeError } from '../machinery/errors/decode-error.ts';
import { messageOf } from '../machinery/errors/message-of.ts';
import type { Backend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import type { PluginErrors } from './plugin-errors.ts';

export interface WebhookBackendOptions {
  readonly webhook: GenericWebhook;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly errors: PluginErrors;
}

const pluginName = 'webhook';
const head = Buffer.from('{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[');
const end = Buffer.from(']}\n');

/** Posts events to a server as an EventList. Retries failed calls for a while. (plugin/pkg/audit/webhook) */
export class WebhookBackend implements Backend {
  readonly name = pluginName;
  readonly #options: WebhookBackendOptions;
  readonly #stopped = new AbortController();

  constructor(options: WebhookBackendOptions) {
    this.#options = options;
  }

  async processEvents(events: readonly AuditEvent[]): Promise<boolean> {
    const { backoff, clock, errors } = this.#options;
    const { signal } = this.#stopped;
    const body = eventList(events);
    try {
      await withExponentialBackoff(() => this.#post(body), { backoff, clock, signal, shouldRetry: () => true });
      return true;
    } catch (error) {
      errors.handle(pluginName, messageOf(error), events);
      return false;
    }
  }

  /** Ends the calls that are being retried. */
  async shutdown(): Promise<void> {
    this.#stopped.abort();
    this.#options.webhook.close();
  }

  /** Ignores the content of a successful response. */
  async #post(body: Uint8Array): Promise<void> {
    try {
      await this.#options.webhook.postOnce(body, this.#stopped.signal);
    } catch (error) {
      if (!isDecodeError(error)) throw error;
    }
  }
}

function eventList(events: readonly AuditEvent[]): Buffer {
  const pieces: Uint8Array[] = [head];
  for (const [index, event] of events.entries()) {
    pieces.push(Buffer.from(index === 0 ? '{' : ',{'));
    for (const piece of event.pieces) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    pieces.push(Buffer.from('}'));
  }
  pieces.push(end);
  return Buffer.concat(pieces);
}
