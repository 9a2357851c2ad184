import { messageOf } from '../../machinery/errors/message-of.ts';
import type { Backend } from '../backend.ts';
import type { AuditEvent, EventPiece } from '../event.ts';
import { eventString } from '../event-string.ts';
import type { PluginErrors } from '../plugin-errors.ts';
import type { LogOutput } from './output.ts';

export const logFormats = ['legacy', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/**
 * When events are written. `now`: before the request continues, which fails if the write fails. `beforeResponse`: with
 * the other events of this turn of the event loop. `inBackground`: without blocking the event loop.
 */
export type LogTiming = 'now' | 'beforeResponse' | 'inBackground';

export interface LogBackendOptions {
  readonly output: LogOutput;
  readonly format: LogFormat;
  readonly timing: LogTiming;
  readonly errors: PluginErrors;
  /** Calls `work` before the responses of this turn are sent. */
  readonly beforeResponses: (work: () => void) => void;
}

const pluginName = 'log';
const head = '{"kind":"Event","apiVersion":"audit.k8s.io/v1",';

/** Writes each event as a line. Events that arrive during a write share the next one. (plugin/pkg/audit/log) */
export class LogBackend implements Backend {
  readonly name = pluginName;
  readonly #options: LogBackendOptions;
  #pending: AuditEvent[] = [];
  /** The current write, and the next one after it. */
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<boolean> | undefined;

  constructor(options: LogBackendOptions) {
    this.#options = options;
  }

  processEvents(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    this.#pending.push(...events);
    switch (this.#options.timing) {
      case 'now':
        return this.#flush();
      case 'beforeResponse':
        if (this.#pending.length === events.length) this.#options.beforeResponses(() => this.#flush());
        return true;
      default:
        this.#next ??= this.#writeNext();
        return this.#next;
    }
  }

  async shutdown(): Promise<void> {
    await this.#next;
    await this.#writing;
    this.#flush();
    await this.#options.output.close();
  }

  #flush(): boolean {
    if (this.#pending.length === 0) return true;
    const events = this.#takePending();
    try {
      this.#options.output.writeSync(this.#linesOf(events));
      return true;
    } catch (error) {
      return this.#failed(error, events);
    }
  }

  /** Writes the pending events after the previous write. Resolves when they are written. */
  async #writeNext(): Promise<boolean> {
    await this.#writing;
    this.#next = undefined;
    const events = this.#takePending();
    const writing = this.#options.output.write(this.#linesOf(events));
    this.#writing = writing.catch(() => undefined);
    try {
      await writing;
      return true;
    } catch (error) {
      return this.#failed(error, events);
    }
  }

  #takePending(): AuditEvent[] {
    const events = this.#pending;
    this.#pending = [];
    return events;
  }

  #failed(error: unknown, events: readonly AuditEvent[]): false {
    this.#options.errors.handle(pluginName, messageOf(error), events);
    return false;
  }

  #linesOf(events: readonly AuditEvent[]): Buffer[] {
    const { format } = this.#options;
    return events.map((event) => (format === 'legacy' ? Buffer.from(`${eventString(event)}\n`) : bytesOf([head, ...event.pieces, '}\n'])));
  }
}

/** Joins the pieces, encoding adjacent texts together. */
function bytesOf(pieces: readonly EventPiece[]): Buffer {
  const buffers: Uint8Array[] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      buffers.push(Buffer.from(text), piece);
      text = '';
    }
  }
  const last = Buffer.from(text);
  return buffers.length === 0 ? last : Buffer.concat([...buffers, last]);
}
