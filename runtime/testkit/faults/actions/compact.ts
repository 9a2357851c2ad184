import type { ApiContext, Next } from '../../../http/context.ts';
import type { FaultAction, FaultedServer } from './action.ts';

/** Compacts the store up to its newest revision before the request is performed. */
export class CompactAction implements FaultAction {
  readonly #store: FaultedServer['store'];

  constructor(store: FaultedServer['store']) {
    this.#store = store;
  }

  async handle(_: ApiContext, next: Next): Promise<unknown> {
    await this.#store.compact(this.#store.revision());
    return next();
  }
}
