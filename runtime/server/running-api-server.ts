import type { Client } from '../../generated/v1.35/client.ts';
import type { ClientOptions } from '../client/options.ts';
import { elementAt } from '../machinery/collections/element-at.ts';
import { once } from '../machinery/event-loop/once.ts';
import { gitVersion } from '../machinery/version.ts';
import { administrator } from '../serving/in-process.ts';
import { inProcessFetch, inProcessUrl } from '../serving/in-process-fetch.ts';
import type { ApiServer } from './api-server.ts';
import { page } from './parts/page.ts';
import { serving } from './parts/serving.ts';
import { objectStore } from './parts/storage.ts';
import type { RunningServer } from './running-server.ts';
import type { ServerTestKit } from './test-kit/controls.ts';
import type { Start } from './test-kit/snapshot-file.ts';
import { snapshotFiles } from './test-kit/snapshot-files.ts';

/** The functions that start servers besides this one. */
export interface OtherServers extends Pick<RunningServer, 'fork'> {
  /** See startServer. */
  readonly start: Start;
}

/** Returns the handle of an API server for programs. */
export function runningServer(opened: ApiServer, { controls }: ServerTestKit, { start, fork }: OtherServers): RunningServer {
  const { config, assembly, shutdown, failed } = opened;
  const store = assembly.get(objectStore);
  const opensPage = assembly.find(page);
  const { url, listener, kubeconfig, caCertificate, admin, connect } = assembly.get(serving);
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
      const client = await createClient(config.listens ? credentials : { server: inProcessUrl, connect });
      shutdown.addShutdownHook(() => client.close());
      return client;
    },
    ui: opensPage && { link: () => opensPage.link(administrator) },
    revision: () => store.revision(),
    compact: (revision = store.revision()) => store.compact(revision),
    unref: () => listener.unref(),
    failed,
    close: () => shutdown.close(),
    ...controls,
    ...snapshotFiles(connect, start, config.options),
    fetch: (path, init) => inProcessFetch(connect, path, init),
    fork,
  };
}

const clientModule = once(() => import('../../generated/v1.35/client.ts'));

const defaultClient = async (options: ClientOptions): Promise<Client> => (await clientModule()).createClient(options);
