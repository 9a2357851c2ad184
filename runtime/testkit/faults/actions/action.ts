import type { ApiContext, Next } from '../../../http/context.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { ObjectStore } from '../../../storage/object-store/contract.ts';

/** The server that faults act on. */
export interface FaultedServer {
  readonly clock: Clock;
  readonly store: Pick<ObjectStore, 'revision' | 'compactedRevision' | 'compact' | 'onCommit'>;
  /** The running requests. */
  running(): readonly ApiContext[];
  /** Destroys the connection of a request at once, with all other requests on it. Unsent bytes are lost. */
  destroyConnection(ctx: ApiContext): void;
  /** Destroys all connections and reopens the port after a moment. */
  restart(): void;
}

/** The action of a plan on the requests that it hits. */
export interface FaultAction {
  /** Reports whether the fault applies to a request. Default: true. */
  isAbout?(ctx: ApiContext): boolean;
  /** The fault acts on the sent bytes, after other faults have released the response. Default: false. */
  readonly isAboutBytes?: boolean;
  /** Runs the rest of the request, unless the fault prevents it. */
  handle(ctx: ApiContext, next: Next): unknown;
  /** Acts on a watch that was open before the plan. Default: such watches do not count. */
  handleOpen?(ctx: ApiContext): void;
  /** Reports whether a request, matching or not, never reaches the server. Default: false. */
  blocks?(ctx: ApiContext): boolean;
  /** Ends unfinished effects. */
  stop?(): void;
}
