import type { Logger } from '../machinery/logger.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** A loop that moves objects towards their desired state, from `start` until `close`. */
export interface Controller {
  /** Resolves when the controller has synced: it has seen every object that exists. */
  start(): Promise<void>;
  /** Resolves when no work is under way. */
  close(): Promise<void>;
  /** Whether nothing is left to do until something is written. Absent: there never is for long. */
  readonly isIdle?: boolean;
}

/** What every controller needs. */
export interface ReconcileContext {
  readonly stores: ResourceStores;
  readonly logger: Logger;
}
