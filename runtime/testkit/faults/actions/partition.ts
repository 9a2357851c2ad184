import type { ApiContext } from '../../../http/context.ts';
import { parseMilliseconds } from '../../../machinery/go/duration.ts';
import type { PartitionFault } from '../fault-plan.ts';
import { Pauses } from '../pauses.ts';
import type { FaultAction, FaultedServer } from './action.ts';

/** Separates a client from the server for a while. */
export class PartitionAction implements FaultAction {
  readonly #ms: number;
  readonly #server: FaultedServer;
  readonly #pauses: Pauses;
  readonly #cutOff = new Set<string>();

  constructor({ duration }: PartitionFault, server: FaultedServer) {
    this.#ms = parseMilliseconds(duration);
    this.#server = server;
    this.#pauses = new Pauses(server.clock);
  }

  blocks(ctx: ApiContext): boolean {
    return this.#cutOff.has(clientOf(ctx));
  }

  handle(ctx: ApiContext): void {
    this.handleOpen(ctx);
  }

  handleOpen(ctx: ApiContext): void {
    const client = clientOf(ctx);
    this.#cutOff.add(client);
    this.#pauses.after(this.#ms, () => this.#cutOff.delete(client));
    for (const running of this.#server.running()) if (clientOf(running) === client) this.#server.destroyConnection(running);
  }

  stop(): void {
    this.#pauses.endAll();
  }
}

/** Returns the user and the user agent as a key. */
const clientOf = ({ req, state }: ApiContext): string => `${state.user?.name}\0${req.headers['user-agent'] ?? ''}`;
