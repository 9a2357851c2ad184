import type { ActiveRequests } from '../http/active-requests.ts';
import type { ApiMiddleware } from '../http/context.ts';
import type { Ending, RequestState } from '../http/state.ts';

/** Keeps the list of requests that shutdown ends or waits for. */
export function track(active: ActiveRequests): ApiMiddleware {
  return ({ state }, next) => {
    active.enter(state);
    state.whenOver(new Tracked(active, state));
    return next();
  };
}

class Tracked implements Ending {
  before: Ending | undefined;
  readonly #active: ActiveRequests;
  readonly #state: RequestState;

  constructor(active: ActiveRequests, state: RequestState) {
    this.#active = active;
    this.#state = state;
  }

  over(): void {
    this.#active.leave(this.#state);
  }
}
