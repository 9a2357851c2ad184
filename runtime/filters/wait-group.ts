import type { ApiMiddleware } from '../http/context.ts';
import type { CompletionListener, RequestState } from '../http/request-state.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';

/** Adds each request to the group that shutdown waits for, until the request is complete. (apiserver WithWaitGroup) */
export function withWaitGroup(group: RequestWaitGroup): ApiMiddleware {
  return ({ state }, next) => {
    group.add(state);
    state.onCompletion(new Membership(group, state));
    return next();
  };
}

class Membership implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #group: RequestWaitGroup;
  readonly #state: RequestState;

  constructor(group: RequestWaitGroup, state: RequestState) {
    this.#group = group;
    this.#state = state;
  }

  completed(): void {
    this.#group.done(this.#state);
  }
}
