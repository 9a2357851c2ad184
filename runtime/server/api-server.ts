import type { startControllers } from '../controllers/start-controllers.ts';
import { RequestWaitGroup } from '../http/request-wait-group.ts';
import { EndingLogger } from '../machinery/ending-logger.ts';
import type { GracefulShutdown } from '../serving/graceful-shutdown.ts';
import { writeKubeconfig } from '../serving/kubeconfig.ts';
import { Assembly, type PartValues } from './assembly/assembly.ts';
import type { Part } from './assembly/part.ts';
import type { CompletedConfig } from './config.ts';
import * as inputs from './parts/inputs.ts';
import { serving } from './parts/serving.ts';
import { milestones } from './parts/shared-state.ts';
import { objectStore, storage } from './parts/storage.ts';
import { serverParts } from './parts.ts';
import { gracefulShutdown } from './shutdown.ts';

/**
 * An API server with open parts, which serves requests until it shuts down. The controls for tests are not included;
 * see running-server.ts.
 */
export interface ApiServer {
  readonly config: CompletedConfig;
  readonly assembly: Assembly;
  readonly shutdown: GracefulShutdown;
  readonly waitGroup: RequestWaitGroup;
  /** See RunningServer.failed. The server then closes itself. */
  readonly failed: Promise<Error>;
  /** Writes the kubeconfig, then lets /readyz succeed and logs the address. */
  announce(): Promise<void>;
}

/** The inputs of an API server besides its configuration. */
export interface Beginning {
  /**
   * Starts the controllers of kube-controller-manager. Absent for a server without them, even if options select some.
   */
  readonly startControllers?: typeof startControllers;
  /** The values that a fork takes from its origin. */
  readonly taken?: PartValues | undefined;
}

/** Opens the parts of a server. */
export async function openApiServer(completed: CompletedConfig, { startControllers, taken }: Beginning = {}): Promise<ApiServer> {
  const logger = new EndingLogger(completed.logger);
  const config = { ...completed, logger };
  const waitGroup = new RequestWaitGroup();
  const shutdown = gracefulShutdown(config, waitGroup);
  const assembly = new Assembly({
    parts: serverParts(config),
    inputs: new Map<Part<unknown>, unknown>([
      [inputs.config, config],
      [inputs.shutdown, shutdown],
      [inputs.waitGroup, waitGroup],
      [inputs.controllerStarter, startControllers],
    ]),
    taken,
    report: (err) => logger.error({ err }, 'a part of the server could not be closed'),
  });
  shutdown.addPreShutdownHook(() => assembly.withdraw());
  shutdown.addShutdownHook(() => assembly.close());
  try {
    await assembly.open();
  } catch (error) {
    await shutdown.close();
    throw error;
  }
  const failed = assembly.get(storage).lost ?? new Promise<Error>(() => undefined);
  void failed.then(() => {
    logger.end();
    return shutdown.abort();
  });
  return { config, assembly, shutdown, waitGroup, failed, announce: () => announce(config, assembly) };
}

async function announce({ options, logger }: CompletedConfig, assembly: Assembly): Promise<void> {
  const { url, kubeconfig } = assembly.get(serving);
  if (options.writeKubeconfig !== undefined) await writeKubeconfig(options.writeKubeconfig, kubeconfig);
  assembly.get(milestones).reached('announced');
  const revision = assembly.get(objectStore).revision();
  logger.info({ url, storage: options.storage ?? 'memory', revision }, 'serving');
}
