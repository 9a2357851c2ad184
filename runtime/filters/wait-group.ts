import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { CompletionListener } from '../http/request-state.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';

/** Adds each request to the group until it is complete. Shutdown waits for the group. (apiserver WithWaitGroup) */
export function withWaitGroup(group: RequestWaitGroup): ApiMiddleware {
  return (ctx, next) => {
    group.add(ctx);
    ctx.state.onCompletion(new Membership(group, ctx));
    return next();
  };
}

class Membership implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #group: RequestWaitGroup;
  readonly #ctx: ApiContext;

  constructor(group: RequestWaitGroup, ctx: ApiContext) {
    this.#group = group;
    this.#ctx = ctx;
  }

  completed(): void {
    this.#group.done(this.#ctx);
  }
}
