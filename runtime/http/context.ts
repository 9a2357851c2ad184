import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestState } from './request-state.ts';

/**
 * One request and its response, with the names of Koa's middleware. Koa's own context consists of three objects with a
 * hundred accessors between them, a cost for every request. This one has only the members in use.
 */
export class ApiContext {
  /** HTTP/1 and HTTP/2 requests and responses have the same members. */
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** Set by the request-info filter; absent for a request whose URL cannot be parsed. */
  state!: RequestState;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req;
    this.res = res;
    this.method = req.method ?? 'GET';
  }

  /** Koa's router stores the parameters of a path in this object. */
  get request(): this {
    return this;
  }

  /** The path as the client sent it, without the query. */
  get path(): string {
    const { url = '/' } = this.req;
    const mark = url.indexOf('?');
    return mark < 0 ? url : url.slice(0, mark);
  }
}

/**
 * Runs the filters and the endpoint behind a filter. Called at most once. A returned promise settles when the response
 * is complete.
 */
export type Next = () => unknown;

/**
 * A filter or an endpoint. It returns a promise only if it must wait. Most requests need none, and promises are most of
 * the cost of a chain of filters.
 */
export type ApiMiddleware = (ctx: ApiContext, next: Next) => unknown;
