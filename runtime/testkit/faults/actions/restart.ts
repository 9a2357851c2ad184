import type { FaultAction, FaultedServer } from './action.ts';

/** Restarts the server in place of the request. */
export class RestartAction implements FaultAction {
  readonly #server: FaultedServer;

  constructor(server: FaultedServer) {
    this.#server = server;
  }

  handle(): void {
    this.#server.restart();
  }
}
