import type { AuditEvent } from './event.ts';

/** A destination of events. (audit.Backend) */
export interface Backend {
  /** The plugins in upstream's notation: `buffered<webhook>`. */
  readonly name: string;
  /**
   * Takes events. Returns false if they may be lost and the request must fail. The backend itself counts and logs
   * errors that must not stop a request. Returns a promise only if the request must wait.
   */
  processEvents(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** Delivers pending events, and closes. No events may follow. */
  shutdown(): Promise<void>;
}

/** Sends events to several backends, one after the other. (audit.Union) */
export class UnionBackend implements Backend {
  readonly name: string;
  readonly #backends: readonly Backend[];

  constructor(backends: readonly Backend[]) {
    this.#backends = backends;
    this.name = `union[${backends.map(({ name }) => name).join(',')}]`;
  }

  processEvents(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    return this.#processFrom(0, events);
  }

  #processFrom(start: number, events: readonly AuditEvent[]): boolean | Promise<boolean> {
    let success = true;
    for (let at = start, backend = this.#backends[at]; backend !== undefined; at++, backend = this.#backends[at]) {
      const processed = backend.processEvents(events);
      if (processed instanceof Promise) {
        return processed.then(async (result) => {
          const rest = await this.#processFrom(at + 1, events);
          return success && result && rest;
        });
      }
      success = processed && success;
    }
    return success;
  }

  async shutdown(): Promise<void> {
    for (const backend of this.#backends) await backend.shutdown();
  }
}

/** Waits for its delegate, but never fails a request: mode `blocking`. (ignoreErrorsBackend) */
export class IgnoreErrorsBackend implements Backend {
  readonly name: string;
  readonly #delegate: Backend;

  constructor(delegate: Backend) {
    this.#delegate = delegate;
    this.name = `ignoreErrors<${delegate.name}>`;
  }

  processEvents(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const processed = this.#delegate.processEvents(events);
    return processed instanceof Promise ? processed.then(() => true) : true;
  }

  shutdown(): Promise<void> {
    return this.#delegate.shutdown();
  }
}
