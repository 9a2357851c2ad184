import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestState } from './request-state.ts';

/**
 * One request and its answer, as Koa's middleware know them: the names are Koa's, of which these few are in use. Koa's own
 * context is three objects with a hundred accessors between them, and every request pays for them.
 */
export class ApiContext {
  /** Those of HTTP/2 have the same members. */
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** Set by the request-info filter; a request whose URL cannot be parsed has none. */
  state: RequestState = undefined as unknown as RequestState;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.req = req;
    this.res = res;
    this.method = req.method ?? 'GET';
  }

  /** Where Koa keeps what is about the request alone, as the parameters that a router reads off its path. */
  get request(): this {
    return this;
  }

  /** As it was sent, without the query. */
  get path(): string {
    const { url = '/' } = this.req;
    const mark = url.indexOf('?');
    return mark < 0 ? url : url.slice(0, mark);
  }
}

/** What comes behind a filter. Called once at most; what it returns is settled when the request is answered. */
export type Next = () => unknown;

/**
 * A filter or an endpoint. It returns a promise only where it waits for something: most requests are answered without, and
 * promises are most of what a chain of filters costs.
 */
export type ApiMiddleware = (ctx: ApiContext, next: Next) => unknown;
