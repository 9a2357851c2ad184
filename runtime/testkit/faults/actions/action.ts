import type { ApiContext, Next } from '../../../http/context.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { ObjectStore } from '../../../storage/object-store/contract.ts';

/** What faults act on besides the request. */
export interface FaultedServer {
  readonly clock: Clock;
  readonly store: Pick<ObjectStore, 'revision' | 'compactedRevision' | 'compact' | 'onCommit'>;
  /** The requests that run. */
  running(): readonly ApiContext[];
  /** Destroys the connection of a request at once, with all other requests on it. What is not sent yet is not sent. */
  destroyConnection(ctx: ApiContext): void;
  /** Destroys all connections and opens the port again after a moment. */
  restart(): void;
}

/** What a plan does to the requests that it hits. */
export interface FaultAction {
  /** Whether the fault can be about a request at all. Default: about any. */
  isAbout?(ctx: ApiContext): boolean;
  /** Whether it is about the bytes that are sent, whenever others let the answer go. Default: false. */
  readonly isAboutBytes?: boolean;
  /** Runs the rest of the request, unless the fault is that it never runs. */
  handle(ctx: ApiContext, next: Next): unknown;
  /** Acts on a watch that was open before the plan. Default: such watches do not count. */
  handleOpen?(ctx: ApiContext): void;
  /** Whether a request never reaches the server, whether or not it matches. Default: none. */
  blocks?(ctx: ApiContext): boolean;
  /** Ends what is under way. */
  stop?(): void;
}
