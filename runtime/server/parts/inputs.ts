import type { startControllers } from '../../controllers/start-controllers.ts';
import type { RequestWaitGroup } from '../../http/request-wait-group.ts';
import type { GracefulShutdown } from '../../serving/graceful-shutdown.ts';
import { input } from '../assembly/part.ts';
import type { CompletedConfig } from '../config.ts';

/** What follows from the options alone. */
export const config = input<CompletedConfig>('config');
/** Knows whether the server shuts down. */
export const shutdown = input<GracefulShutdown>('shutdown');
/** Starts the controllers of kube-controller-manager. Undefined for an API server alone. */
export const controllerStarter = input<typeof startControllers | undefined>('controllerStarter');
/** The requests that are under way. */
export const waitGroup = input<RequestWaitGroup>('waitGroup');
