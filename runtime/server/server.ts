import type { Client } from '../../generated/v1.35/client.ts';
import type { ClientOptions } from '../client/options.ts';
import { RequestWaitGroup } from '../http/request-wait-group.ts';
import { systemClock } from '../machinery/clock.ts';
import { EndingLogger } from '../machinery/ending-logger.ts';
import { once } from '../machinery/event-loop/once.ts';
import { withoutSlices } from '../machinery/event-loop/yield.ts';
import type { Logger } from '../machinery/logger.ts';
import { requireOptions } from '../machinery/options/check-options.ts';
import { isServerClock, type ServerClock } from '../machinery/server-clock.ts';
import { gitVersion } from '../machinery/version.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { GracefulShutdown } from '../serving/graceful-shutdown.ts';
import { inProcessFetch, inProcessUrl } from '../serving/in-process-fetch.ts';
import { writeKubeconfig } from '../serving/kubeconfig.ts';
import type { Assertions } from '../testkit/assertions.ts';
import { unmovedClock } from '../testkit/clock/unmoved-clock.ts';
import type { Faults } from '../testkit/faults/faults.ts';
import { restoreOptions } from '../testkit/option-types.ts';
import type { RunningReplay } from '../testkit/recording/replay.ts';
import { ServedNames } from '../testkit/requests/served-names.ts';
import type { Snapshots } from '../testkit/snapshot/snapshots.ts';
import type { SnapshotFiles } from '../testkit/snapshot-file/snapshot-files.ts';
import { Assembly, type PartValues } from './assembly/assembly.ts';
import type { Part } from './assembly/part.ts';
import { type CompletedConfig, completeConfig } from './config.ts';
import { type ForkOptions, forkConfig } from './fork/fork-config.ts';
import { forkOptions, serverOptions } from './option-types.ts';
import { controllerManager } from './parts/controllers.ts';
import * as inputs from './parts/inputs.ts';
import { registry, stores } from './parts/resources.ts';
import { serving } from './parts/serving.ts';
import { milestones } from './parts/shared-state.ts';
import { objectStore, storage } from './parts/storage.ts';
import { recorder, replay, requestLog } from './parts/test-kit.ts';
import { serverParts } from './parts.ts';
import { assertions, snapshotFiles } from './test-kit/assertions.ts';
import { faultsOf } from './test-kit/fault-injection.ts';
import { serverSnapshots } from './test-kit/snapshots.ts';

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

/** @param taken what a fork takes from its origin */
async function run(completed: CompletedConfig, taken?: PartValues): Promise<RunningServer> {
  const logger = new EndingLogger(completed.logger);
  const config = { ...completed, logger };
  const { options } = config;
  // whoever closes a server has not always let its time pass
  const clock = isServerClock(config.clock) ? systemClock : config.clock;
  const waitGroup = new RequestWaitGroup();
  const shutdown = new GracefulShutdown({
    clock,
    logger,
    waitGroup,
    shutdownDelay: options.shutdownDelay ?? 0,
    drainTimeout: options.drainTimeout ?? 10_000,
    sendRetryAfter: options.shutdownSendRetryAfter ?? false,
  });
  if (options.seed !== undefined) shutdown.addShutdownHook(withoutSlices());
  const assembly = new Assembly({
    parts: serverParts(config),
    inputs: new Map<Part<unknown>, unknown>([
      [inputs.config, config],
      [inputs.shutdown, shutdown],
      [inputs.waitGroup, waitGroup],
    ]),
    taken,
    report: (err) => logger.error({ err }, 'a part of the server could not be closed'),
  });
  shutdown.addPreShutdownHook(() => assembly.withdraw());
  shutdown.addShutdownHook(() => assembly.close());
  try {
    await assembly.open();
    assembly.find(recorder)?.ready();
    assembly.find(replay)?.start();
    const served = new ServedNames(assembly.get(registry));
    const running = runningServer(config, assembly, { shutdown, waitGroup, served });
    config.testGroup?.serve({ ...running, served });
    shutdown.addShutdownHook(() => config.testGroup?.close());
    await announce(config, assembly);
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

/** Writes the kubeconfig, and then says in the log and by /readyz that the server is ready. */
async function announce({ options, logger }: CompletedConfig, assembly: Assembly): Promise<void> {
  const { url, kubeconfig } = assembly.get(serving);
  if (options.writeKubeconfig !== undefined) await writeKubeconfig(options.writeKubeconfig, kubeconfig);
  assembly.get(milestones).reached('announced');
  const revision = assembly.get(objectStore).revision();
  logger.info({ url, storage: options.storage ?? 'memory', revision }, 'serving');
}

interface Lifecycle {
  readonly shutdown: GracefulShutdown;
  readonly waitGroup: RequestWaitGroup;
  readonly served: ServedNames;
}

function runningServer(config: CompletedConfig, assembly: Assembly, { shutdown, waitGroup, served }: Lifecycle): RunningServer {
  const { logger } = config;
  const [store, opened] = [assembly.get(objectStore), assembly.get(serving)];
  const { url, listener, kubeconfig, caCertificate, admin } = opened;
  const busy = (): ReadonlySet<string> => new Set(assembly.get(controllerManager).busy());
  const snapshots = serverSnapshots(store, busy);
  const asserted = {
    stores: assembly.get(stores),
    requestLog: assembly.find(requestLog),
    clock: config.clock,
    shutdown,
  };
  return {
    url,
    kubeconfig,
    caCertificate,
    port: listener.port,
    version: gitVersion(config.catalogs[0].release),
    clientCertificate: admin.certificate,
    clientKey: admin.key,
    logger,
    replay: assembly.find(replay),
    clock: isServerClock(config.clock) ? config.clock : unmovedClock(config.clock),
    async client(createClient = defaultClient) {
      const credentials = { server: url, ca: caCertificate, cert: admin.certificate, key: admin.key };
      const client = await createClient(config.listens ? credentials : { server: inProcessUrl, connect: opened.connect });
      shutdown.addShutdownHook(() => client.close());
      return client;
    },
    revision: () => store.revision(),
    compact: (revision = store.revision()) => store.compact(revision),
    unref: () => listener.unref(),
    failed: assembly.get(storage).lost ?? new Promise(() => undefined),
    close: () => shutdown.close(),
    faults: faultsOf({ logger, waitGroup, shutdown, store, served, clock: config.clock, serving: opened }),
    ...assertions(asserted),
    snapshot: () => snapshots.snapshot(),
    async restore(snapshot, options = {}) {
      requireOptions(restoreOptions, options);
      await snapshots.restore(snapshot, options);
    },
    async reset(options = {}) {
      requireOptions(restoreOptions, options);
      await snapshots.reset(options);
    },
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
