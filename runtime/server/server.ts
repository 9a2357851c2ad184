import type { Client } from '../../generated/v1.35/client.ts';
import type { ClientOptions } from '../client/options.ts';
import { RequestWaitGroup } from '../http/request-wait-group.ts';
import { type Clock, systemClock } from '../machinery/clock.ts';
import { madeOnce } from '../machinery/event-loop/made-once.ts';
import { withoutSlices } from '../machinery/event-loop/yield.ts';
import { requireOptions } from '../machinery/options/check-options.ts';
import { EndingLogger } from '../observe/ending-logger.ts';
import type { Logger } from '../observe/logger.ts';
import type { Assertions } from '../testkit/assertions.ts';
import { isServerClock, type ServerClock, unmovedClock } from '../testkit/clock/server-clock.ts';
import type { Faults } from '../testkit/faults/faults.ts';
import { restoreOptions } from '../testkit/option-types.ts';
import type { RunningReplay } from '../testkit/recording/replay.ts';
import type { ServerSnapshots, Snapshots } from '../testkit/snapshot/snapshots.ts';
import type { SnapshotFiles } from '../testkit/snapshot-file/snapshot-files.ts';
import { ApiServer } from './api-server.ts';
import { type CompletedConfig, completeConfig } from './config.ts';
import { faultsOf } from './fault-injection.ts';
import { type ForkOptions, forkConfig } from './fork/fork-config.ts';
import type { ForkOrigin } from './fork/origin.ts';
import { GracefulShutdown } from './graceful-shutdown.ts';
import { inProcessFetch, inProcessUrl } from './in-process-fetch.ts';
import { forkOptions, serverOptions } from './option-types.ts';
import type { ServerOptions } from './options.ts';
import type { SecureServing } from './secure-serving.ts';
import { serverSnapshots } from './snapshots.ts';
import { assertions, openTestKit, snapshotFiles, type TestKit } from './test-kit.ts';
import { gitVersion } from './version.ts';

/** A server that is ready, until it is closed. */
export interface RunningServer extends SnapshotFiles, Assertions, Snapshots {
  /** For example `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly port: number;
  /** For example `v1.35.0+kubeloom.0.1.0`. */
  readonly version: string;
  /** Text of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** PEM: the CA of the server's certificate, and the administrator's certificate and key. */
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly logger: Logger;
  /** With `clock: 'manual'`, its `advance` lets time pass. */
  readonly clock: ServerClock;
  /** A client of another release, or of other groups, by the function that `generated/<release>/client` exports. */
  client<C extends Closable>(createClient: (options: ClientOptions) => C): Promise<C>;
  /** A typed client of v1.35 with the administrator's certificate. Closing the server closes it. */
  client(): Promise<Client>;
  /** Absent without the option `replay`. */
  readonly replay: RunningReplay | undefined;
  /** The newest revision of the store. */
  revision(): number;
  /** Makes revisions before this one unreadable. Default: the newest. */
  compact(revision?: number): Promise<void>;
  /** Makes chosen requests fail. Requests pay for it only after the first plan. */
  readonly faults: Faults;
  /**
   * Another server with the objects of this one, which are shared until they change. Each goes its own way, whichever is closed
   * first. It has the options of this one, but for files that have one writer: it writes no audit log and no kubeconfig.
   *
   * @throws OptionError if the store keeps no snapshots
   */
  fork(options?: ForkOptions): Promise<RunningServer>;
  /** A request from inside this process, as the administrator unless it has credentials. @param path as `/api/v1/pods?limit=1` */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Lets the process end although the server runs, as Node's servers do. Then the server is not closed. */
  unref(): void;
  /**
   * Resolves with the reason when the server cannot go on: its data directory was moved, removed or taken by another process.
   * It then closes itself, without waiting for requests.
   */
  readonly failed: Promise<Error>;
  /** Ends watches, lets running requests finish, then closes the port and the store. All calls return the same promise. */
  close(): Promise<void>;
}

interface Closable {
  close(): void;
}

/**
 * Starts a server and resolves when it is ready.
 *
 * @throws OptionError for an invalid option, StorageError if the store cannot be opened
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  requireOptions(serverOptions, options);
  return run(await completeConfig(options));
}

async function run(completed: CompletedConfig): Promise<RunningServer> {
  const logger = new EndingLogger(completed.logger);
  const config = { ...completed, logger };
  const { options } = config;
  // whoever closes a server has not always let its time pass
  const clock = isServerClock(config.clock) ? systemClock : config.clock;
  const waitGroup = new RequestWaitGroup();
  const shutdown = new GracefulShutdown({
    ...{ clock, logger, waitGroup },
    shutdownDelay: options.shutdownDelay ?? 0,
    drainTimeout: options.drainTimeout ?? 10_000,
    sendRetryAfter: options.shutdownSendRetryAfter ?? false,
  });
  if (options.seed !== undefined) shutdown.addShutdownHook(withoutSlices());
  try {
    const testKit = await openTestKit(options, config);
    shutdown.addShutdownHook(() => testKit.recorder?.close());
    shutdown.addShutdownHook(() => testKit.replay?.close());
    const server = await ApiServer.open(config, waitGroup, shutdown, testKit);
    const prepared = await server.prepareRun();
    const serving = await prepared.run();
    testKit.recorder?.ready();
    testKit.replay?.start();
    const snapshots = serverSnapshots(server.store, () => prepared.busyControllers());
    const faults = faultsOf({ clock: config.clock, logger, waitGroup, shutdown, serving, store: server.store });
    const running = runningServer(config, server, serving, { shutdown, testKit, faults, snapshots });
    config.testGroup?.serve(running);
    shutdown.addShutdownHook(() => config.testGroup?.close());
    await prepared.announce(serving);
    void running.failed.then(() => {
      logger.end();
      return shutdown.abort();
    });
    return running;
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

interface RunningParts {
  readonly shutdown: GracefulShutdown;
  readonly testKit: TestKit;
  readonly faults: Faults;
  readonly snapshots: ServerSnapshots;
}

function runningServer(
  config: CompletedConfig,
  server: ApiServer,
  serving: SecureServing,
  { shutdown, testKit, faults, snapshots }: RunningParts,
): RunningServer {
  const { store, stores } = server;
  const { url, listener, kubeconfig, caCertificate, admin } = serving;
  const listens = config.origin?.listen ?? true;
  return {
    ...{ url, kubeconfig, caCertificate },
    port: listener.port,
    version: gitVersion(config.catalogs[0].release),
    clientCertificate: admin.certificate,
    clientKey: admin.key,
    logger: config.logger,
    replay: testKit.replay,
    clock: isServerClock(config.clock) ? config.clock : unmovedClock(config.clock),
    async client(createClient = defaultClient) {
      const credentials = { server: url, ca: caCertificate, cert: admin.certificate, key: admin.key };
      const client = await createClient(listens ? credentials : { server: inProcessUrl, connect: serving.connect });
      shutdown.addShutdownHook(() => client.close());
      return client;
    },
    revision: () => store.revision(),
    compact: (revision = store.revision()) => store.compact(revision),
    unref: () => listener.unref(),
    failed: server.failed,
    close: () => shutdown.close(),
    faults,
    ...assertions({ testKit, stores, clock: config.clock, shutdown }),
    snapshot: () => snapshots.snapshot(),
    async restore(snapshot, options = {}) {
      requireOptions(restoreOptions, options);
      await snapshots.restore(snapshot, options);
    },
    async reset(options = {}) {
      requireOptions(restoreOptions, options);
      await snapshots.reset(options);
    },
    ...snapshotFiles(serving, startServer, config.options),
    fetch: (path, init) => inProcessFetch(serving.connect, path, init),
    fork: async (options = {}) => {
      requireOptions(forkOptions, options);
      const { listen = true, snapshot = snapshots.snapshot() } = options;
      const { certificates } = serving;
      const clientAuthorities = serving.signer.fork();
      const tokenKeys = await server.forkTokenKeys();
      const begin = (clock: Clock): ForkOrigin => {
        const current = snapshot.revision === store.revision() ? server.current() : undefined;
        return { listen, certificates, clientAuthorities, tokenKeys, current, ...snapshots.fork(snapshot, clock) };
      };
      return run(await forkConfig(config, begin));
    },
  };
}

const clientModule = madeOnce(() => import('../../generated/v1.35/client.ts'));

const defaultClient = async (options: ClientOptions): Promise<Client> => (await clientModule()).createClient(options);
