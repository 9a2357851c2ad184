import type { Logger } from '../machinery/logger.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** A loop that moves objects towards their desired state, from `start` until `close`. */
export interface Controller {
  /** Resolves when the controller has synced: it has seen every existing object. */
  start(): Promise<void>;
  /** Resolves when no work is in progress. */
  close(): Promise<void>;
  /** Whether no work is left until the next write. Absent for controllers that are rarely idle. */
  readonly isIdle?: boolean;
}

/** The dependencies of every controller. */
export interface ReconcileContext {
  readonly stores: ResourceStores;
  readonly logger: Logger;
}
