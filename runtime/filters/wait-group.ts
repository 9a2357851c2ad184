import type { ApiMiddleware } from '../http/context.ts';
import type { CompletionListener, RequestState } from '../http/request-state.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';

/** Keeps the list of requests that shutdown ends or waits for. */
export function withWaitGroup(active: RequestWaitGroup): ApiMiddleware {
  return ({ state }, next) => {
    active.add(state);
    state.onCompletion(new Tracked(active, state));
    return next();
  };
}

class Tracked implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #active: RequestWaitGroup;
  readonly #state: RequestState;

  constructor(active: RequestWaitGroup, state: RequestState) {
    this.#active = active;
    this.#state = state;
  }

  completed(): void {
    this.#active.done(this.#state);
  }
}
