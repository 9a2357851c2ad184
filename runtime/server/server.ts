import { startControllers } from '../controllers/start-controllers.ts';
import { keepCompiledCode } from '../machinery/compiled/program.ts';
import { requireOptions } from '../machinery/options/check-options.ts';
import { serverOptions } from '../options/server-members.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { type ApiServer, openApiServer } from './api-server.ts';
import type { PartValues } from './assembly/assembly.ts';
import { type CompletedConfig, completeConfig } from './config.ts';
import { forkConfig } from './fork/fork-config.ts';
import { type ForkOptions, forkOptions } from './fork/fork-options.ts';
import { objectStore } from './parts/storage.ts';
import { recorder, replay } from './parts/test-kit.ts';
import { runningServer } from './running-api-server.ts';
import type { RunningServer } from './running-server.ts';
import { type ServerTestKit, serverTestKit } from './test-kit/controls.ts';

/**
 * Starts a server and resolves when it is ready.
 *
 * @throws OptionError for an invalid option, StorageError if the store cannot be opened
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  requireOptions(serverOptions, options);
  return run(await completeConfig(options));
}

/** @param taken the values that a fork takes from its origin */
async function run(config: CompletedConfig, taken?: PartValues): Promise<RunningServer> {
  const opened = await openApiServer(config, { startControllers, taken });
  const { assembly, shutdown } = opened;
  try {
    assembly.find(recorder)?.ready();
    assembly.find(replay)?.start();
    const testKit = serverTestKit(opened);
    const running = runningServer(opened, testKit, { start: startServer, fork: (options = {}) => fork(opened, testKit, options) });
    config.testGroup?.serve({ ...running, served: testKit.served });
    shutdown.addShutdownHook(() => config.testGroup?.close());
    await opened.announce();
    keepCompiledCode();
    return running;
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

/** Starts another server with the objects of this one. */
async function fork({ config, assembly }: ApiServer, { snapshots }: ServerTestKit, options: ForkOptions): Promise<RunningServer> {
  requireOptions(forkOptions, options);
  const { snapshot = snapshots.snapshot() } = options;
  const forked = await forkConfig(config, options);
  const isCurrent = snapshot.revision === assembly.get(objectStore).revision();
  return run(forked, assembly.take({ isCurrent, ...snapshots.fork(snapshot, forked.clock) }));
}
