import type { ApiContext, Next } from '../../../http/context.ts';
import { isLongRunning } from '../../../http/request-info.ts';
import type { DropFault } from '../fault-plan.ts';
import { WithheldResponse } from '../withheld-response.ts';
import type { FaultAction, FaultedServer } from './action.ts';

/** Destroys the connection in place of the request, or in place of its response. */
export class DropAction implements FaultAction {
  readonly #isAfter: boolean;

  readonly #server: FaultedServer;

  constructor({ when }: DropFault, server: FaultedServer) {
    this.#server = server;
    this.#isAfter = when === 'AfterRequest';
  }

  handle(ctx: ApiContext, next: Next): unknown {
    if (!this.#isAfter || isLongRunning(ctx.state.requestInfo)) {
      this.#server.destroyConnection(ctx);
      return undefined;
    }
    new WithheldResponse(ctx.res, () => this.#server.destroyConnection(ctx));
    return next();
  }

  handleOpen(ctx: ApiContext): void {
    this.#server.destroyConnection(ctx);
  }
}
