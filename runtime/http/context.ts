import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestState } from './request-state.ts';

/**
 * One request and its response, with the names that Koa's middleware uses. Koa's own context consists of three objects with
 * a hundred accessors between them, which every request would pay for; this one has only what is used.
 */
export class ApiContext {
  /** Requests and responses of HTTP/2 have the same members. */
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** Set by the request-info filter; absent if the URL of the request cannot be parsed. */
  state: RequestState = undefined as unknown as RequestState;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req;
    this.res = res;
    this.method = req.method ?? 'GET';
  }

  /** Koa's router keeps the parameters of a path here. */
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

/** Runs the filters and the endpoint behind a filter. Called at most once; a promise settles when the response is complete. */
export type Next = () => unknown;

/**
 * A filter or an endpoint. It returns a promise only if it has to wait: most requests need none, and promises are most of
 * what a chain of filters costs.
 */
export type ApiMiddleware = (ctx: ApiContext, next: Next) => unknown;
