import type { startControllers } from '../../controllers/start-controllers.ts';
import type { RequestWaitGroup } from '../../http/request-wait-group.ts';
import type { GracefulShutdown } from '../../serving/graceful-shutdown.ts';
import { input } from '../assembly/part.ts';
import type { CompletedConfig } from '../config.ts';

/** The configuration that the options determine. */
export const config = input<CompletedConfig>('config');
/** The server's shutdown. */
export const shutdown = input<GracefulShutdown>('shutdown');
/** Starts the controllers of kube-controller-manager. Undefined for an API server alone. */
export const controllerStarter = input<typeof startControllers | undefined>('controllerStarter');
/** The running requests. */
export const waitGroup = input<RequestWaitGroup>('waitGroup');
