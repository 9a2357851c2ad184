import type { Logger } from '../machinery/logger.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** The shared context of kube-apiserver's own controllers. They cannot be turned off. */
export interface ControlPlaneContext {
  readonly stores: ResourceStores;
  readonly logger: Logger;
}
