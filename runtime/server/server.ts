import type { Client } from '../../generated/v1.35/client.ts';
import type { ClientOptions } from '../client/options.ts';
import { startControllers } from '../controllers/start-controllers.ts';
import { elementAt } from '../machinery/collections/element-at.ts';
import { once } from '../machinery/event-loop/once.ts';
import { requireOptions } from '../machinery/options/check-options.ts';
import { gitVersion } from '../machinery/version.ts';
import { serverOptions } from '../options/server-members.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { inProcessFetch, inProcessUrl } from '../serving/in-process-fetch.ts';
import { type ApiServer, openApiServer } from './api-server.ts';
import type { PartValues } from './assembly/assembly.ts';
import { type CompletedConfig, completeConfig } from './config.ts';
import { forkConfig } from './fork/fork-config.ts';
import { forkOptions } from './fork/fork-options.ts';
import { serving } from './parts/serving.ts';
import { objectStore } from './parts/storage.ts';
import { recorder, replay } from './parts/test-kit.ts';
import type { RunningServer } from './running-server.ts';
import { snapshotFiles } from './test-kit/assertions.ts';
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
    const running = runningServer(opened, testKit);
    config.testGroup?.serve({ ...running, served: testKit.served });
    shutdown.addShutdownHook(() => config.testGroup?.close());
    await opened.announce();
    return running;
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

function runningServer({ config, assembly, shutdown, failed }: ApiServer, { controls, snapshots }: ServerTestKit): RunningServer {
  const [store, opened] = [assembly.get(objectStore), assembly.get(serving)];
  const { url, listener, kubeconfig, caCertificate, admin } = opened;
  return {
    url,
    kubeconfig,
    caCertificate,
    port: listener.port,
    version: gitVersion(elementAt(config.catalogs, 0).release),
    clientCertificate: admin.certificate,
    clientKey: admin.key,
    logger: config.logger,
    async client(createClient = defaultClient) {
      const credentials = { server: url, ca: caCertificate, cert: admin.certificate, key: admin.key };
      const client = await createClient(config.listens ? credentials : { server: inProcessUrl, connect: opened.connect });
      shutdown.addShutdownHook(() => client.close());
      return client;
    },
    revision: () => store.revision(),
    compact: (revision = store.revision()) => store.compact(revision),
    unref: () => listener.unref(),
    failed,
    close: () => shutdown.close(),
    ...controls,
    ...snapshotFiles(opened, startServer, config.options),
    fetch: (path, init) => inProcessFetch(opened.connect, path, init),
    fork: async (options = {}) => {
      requireOptions(forkOptions, options);
      const { listen = true, snapshot = snapshots.snapshot() } = options;
      const forked = await forkConfig(config, listen);
      const isCurrent = snapshot.revision === store.revision();
      return run(forked, assembly.take({ isCurrent, ...snapshots.fork(snapshot, forked.clock) }));
    },
  };
}

const clientModule = once(() => import('../../generated/v1.35/client.ts'));

const defaultClient = async (options: ClientOptions): Promise<Client> => (await clientModule()).createClient(options);
