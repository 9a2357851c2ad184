import type { ApiMiddleware } from '../../http/context.ts';
import { LoggedRequest } from './logged-request.ts';
import { type RequestFilter, requestFilter } from './request-filter.ts';
import type { RequestRecord } from './request-record.ts';

/** The last requests of a server, and all that still run, in the order in which they came. */
export class RequestLog {
  readonly #capacity: number;
  /** A ring: the request with sequence n is at n modulo the capacity. */
  readonly #last: (LoggedRequest | undefined)[] = [];
  /** In the order in which they came. */
  readonly #running = new Set<LoggedRequest>();
  #sequence = 0;
  readonly #onCompleted = (request: LoggedRequest): void => void this.#running.delete(request);

  /** @param capacity how many requests are kept besides those that run */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The sequence of the newest request; 0 before there is one. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Records each request that is authenticated. Its place is behind authentication, before impersonation. */
  readonly filter: ApiMiddleware = (ctx, next) => {
    const request = new LoggedRequest(++this.#sequence, ctx, this.#onCompleted);
    this.#last[this.#sequence % this.#capacity] = request;
    this.#running.add(request);
    ctx.state.onCompletion(request);
    return next();
  };

  /** Forgets all requests so far. */
  clear(): void {
    this.#last.length = 0;
    this.#running.clear();
  }

  /** The requests that the filter matches, oldest first. */
  records(filter: RequestFilter = {}): RequestRecord[] {
    const matches = requestFilter(filter);
    return this.requests()
      .filter(matches)
      .map((request) => request.record());
  }

  /** All that is known, oldest first. */
  requests(): LoggedRequest[] {
    const oldest = this.#sequence - this.#capacity + 1;
    const requests = this.running().filter(({ sequence }) => sequence < oldest);
    for (let sequence = Math.max(1, oldest); sequence <= this.#sequence; sequence++) {
      const request = this.#last[sequence % this.#capacity];
      if (request !== undefined) requests.push(request);
    }
    return requests;
  }

  /** The requests that are not complete. */
  running(): LoggedRequest[] {
    return [...this.#running].filter(({ running }) => running);
  }
}
