import type { Logger } from '../machinery/logger.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** What the controllers of kube-apiserver itself share. They cannot be turned off. */
export interface ControlPlaneContext {
  readonly stores: ResourceStores;
  readonly logger: Logger;
}
