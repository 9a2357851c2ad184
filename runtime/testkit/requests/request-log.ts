import type { ApiMiddleware } from '../../http/context.ts';
import { LoggedRequest } from './logged-request.ts';
import { type RequestFilter, requestFilter } from './request-filter.ts';
import type { RequestRecord } from './request-record.ts';

/** The latest requests of a server and all running ones, in the order of arrival. */
export class RequestLog {
  readonly #capacity: number;
  /** A ring: the request with sequence n is at n modulo the capacity. */
  readonly #last: (LoggedRequest | undefined)[] = [];
  /** Running requests in the order of arrival. */
  readonly #running = new Set<LoggedRequest>();
  #sequence = 0;
  readonly #onCompleted = (request: LoggedRequest): void => void this.#running.delete(request);

  /** @param capacity the number of requests to keep besides running ones */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The sequence of the newest request; 0 without requests. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Records each authenticated request. It runs after authentication, before impersonation. */
  readonly filter: ApiMiddleware = (ctx, next) => {
    const request = new LoggedRequest(++this.#sequence, ctx, this.#onCompleted);
    this.#last[this.#sequence % this.#capacity] = request;
    this.#running.add(request);
    ctx.state.onCompletion(request);
    return next();
  };

  /** Clears the log. */
  clear(): void {
    this.#last.length = 0;
    this.#running.clear();
  }

  /** Returns the matching requests, oldest first. */
  records(filter: RequestFilter = {}): RequestRecord[] {
    const matches = requestFilter(filter);
    return this.requests()
      .filter(matches)
      .map((request) => request.record());
  }

  /** Returns all known requests, oldest first. */
  requests(): LoggedRequest[] {
    const oldest = this.#sequence - this.#capacity + 1;
    const requests = this.running().filter(({ sequence }) => sequence < oldest);
    for (let sequence = Math.max(1, oldest); sequence <= this.#sequence; sequence++) {
      const request = this.#last[sequence % this.#capacity];
      if (request !== undefined) requests.push(request);
    }
    return requests;
  }

  /** Returns the incomplete requests. */
  running(): LoggedRequest[] {
    return [...this.#running].filter(({ running }) => running);
  }
}
