import { authenticatedGroup, serviceAccountGroups, serviceAccountUserName } from '../machinery/user-info.ts';
import type { Logger } from '../observe/logger.ts';
import type { Writer } from '../resources/rest.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** A loop that makes what is promised of objects true. It runs from `start` to `close`. */
export interface Controller {
  /** Resolves when it has seen everything there is; until then it does nothing that needs to know it. */
  start(): Promise<void>;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

export interface ControllerParts {
  readonly stores: ResourceStores;
  readonly logger: Logger;
  /** PEM of the authorities that the server's certificate can be verified with. */
  readonly rootCertificates: string;
}

/** Who writes: each controller has a service account of its own upstream; all have one name as field managers. */
export function writerFor(serviceAccount: string): Writer {
  return {
    user: {
      name: serviceAccountUserName('kube-system', serviceAccount),
      uid: '',
      groups: [...serviceAccountGroups('kube-system'), authenticatedGroup],
      extra: {},
    },
    dryRun: false,
    internal: true,
    fieldManager: 'kube-controller-manager',
    warn: () => undefined,
  };
}
