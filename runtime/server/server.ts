import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { Client } from '../../generated/v1.35/client.ts';
import { alwaysAllow } from '../auth/authorizer.ts';
import { openIdKeysPath } from '../auth/service-account/openid.ts';
import { readTokenFile } from '../auth/token-file.ts';
import { encodeEnvelope } from '../codec/protobuf.ts';
import { startControllers } from '../controllers/start-controllers.ts';
import { createDiscovery } from '../endpoints/discovery/discovery.ts';
import { createResourceHandler } from '../endpoints/dispatch.ts';
import type { RequestWorkers } from '../endpoints/resource-request.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import type { ApiMiddleware } from '../http/context.ts';
import { RequestWaitGroup } from '../http/request-wait-group.ts';
import { builtinStrategies } from '../kinds/strategies.ts';
import type { ApiGroup } from '../machinery/api-group.ts';
import type { Catalog } from '../machinery/catalog.ts';
import { type Clock, systemClock } from '../machinery/clock.ts';
import type { ProtobufCodec } from '../machinery/protobuf.ts';
import type { Status } from '../machinery/status.ts';
import { createLogger, type Logger } from '../observe/logger.ts';
import { RequestMetrics } from '../observe/request-metrics.ts';
import { withGroupStrategies } from '../resources/group-strategies.ts';
import { ResourceRegistry } from '../resources/registry.ts';
import { ResourceStores } from '../resources/stores.ts';
import type { ObjectStore } from '../storage/object-store/contract.ts';
import { bootstrap } from './bootstrap.ts';
import { parseControllers } from './controllers.ts';
import { serveCustomResources } from './custom-resources.ts';
import { type FeatureGates, parseFeatureGates } from './feature-gates.ts';
import { openFlowControl } from './flow-control.ts';
import { GracefulShutdown } from './graceful-shutdown.ts';
import { catalogOf, ownGroups } from './groups.ts';
import type { HealthCheck } from './health.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { ServerOptions } from './options.ts';
import { gitVersion, versionInfo } from './release.ts';
import { fixedRoutes, isFixedPath } from './routes.ts';
import { applyRuntimeConfig } from './runtime-config.ts';
import { type SecureServing, startSecureServing } from './secure-serving.ts';
import { openServiceAccounts, type ServiceAccounts } from './service-accounts.ts';
import { openStorage } from './storage.ts';
import { PooledRequestWorkers } from './workers/request-workers.ts';

/** A server that is ready, until it is closed. */
export interface RunningServer {
  /** As `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly port: number;
  /** As `v1.35.0+kubeloom.0.1.0`. */
  readonly version: string;
  /** Text of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
  /** PEM: the authority of the server's certificate, and the administrator's certificate and key. */
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly logger: Logger;
  /** A typed client, as the administrator. Closed with the server. */
  client(): Promise<Client>;
  /** The newest revision of the store. */
  revision(): number;
  /** Makes revisions before this one, by default the newest, unreadable. */
  compact(revision?: number): Promise<void>;
  /** Ends watches, lets running requests finish, closes the port and the store. Every call gets the same end. */
  close(): Promise<void>;
}

/**
 * Starts a server and resolves when it is ready.
 *
 * @throws OptionError for options that cannot be taken, StorageError for a store that cannot be opened
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const clock = options.clock ?? systemClock;
  const features = parseFeatureGates(options.featureGates ?? []);
  const enabledControllers = parseControllers(options.controllers);
  const [logger, groups] = await Promise.all([createLogger(options.logLevel ?? 'silent'), servedGroups(options)]);
  const catalogs = applyRuntimeConfig(groups.map(catalogOf), options.runtimeConfig ?? []);
  const [catalog] = catalogs;
  const active = new RequestWaitGroup();
  const gracefulShutdown = new GracefulShutdown({
    ...{ clock, logger, active },
    shutdownDelay: options.shutdownDelay ?? 0,
    drainTimeout: options.drainTimeout ?? 10_000,
  });
  try {
    const store = await openStorage(options, clock);
    gracefulShutdown.addShutdownHook(() => store.close());
    const registry = new ResourceRegistry();
    for (const each of catalogs) registry.add(each);
    const accounts = await openServiceAccounts({ folder: options.certDir, clock, stores: () => stores });
    const tokens = [
      ...(options.tokenAuthFile === undefined ? [] : [await readTokenFile(options.tokenAuthFile)]),
      accounts.verifier,
    ];
    const stores: ResourceStores = new ResourceStores({
      ...{ registry, store, clock },
      strategies: withGroupStrategies(builtinStrategies, groups),
      authorizer: options.authorizer ?? alwaysAllow,
      ...{ tokens, audiences: accounts.audiences },
    });
    const limits = openFlowControl({ options, stores, clock, logger });
    await bootstrap(stores);
    const customResources = await serveCustomResources(stores, logger);
    gracefulShutdown.addShutdownHook(() => customResources.close());
    const configured = limits.start();
    // it is awaited below; where the port cannot be opened, nobody gets there
    configured.catch(() => undefined);
    gracefulShutdown.addShutdownHook(() => limits.close());
    const metrics = new RequestMetrics();
    let serving: SecureServing | undefined;
    const workers = PooledRequestWorkers.open({
      ...{ stores, clock, tokens, authorizer: stores.authorizer, audiences: accounts.audiences },
      issueToken: accounts.issueToken,
      builtin: options.builtin ?? true,
      groups: options.groups ?? [],
      runtimeConfig: options.runtimeConfig ?? [],
      unsafeDeletion: features.AllowUnsafeMalformedObjectDeletion,
      threshold: options.workerThreshold,
    });
    gracefulShutdown.addShutdownHook(() => workers?.close());
    serving = await startSecureServing({
      ...{ options, tokens, clock, logger, features, active, metrics, limits: limits.filter },
      serves: ({ isResourceRequest, group, version, resource, path }) =>
        isResourceRequest ? registry.lookup(group, version, resource) !== undefined : isFixedPath(path),
      encodeProtobufStatus: await statusEncoder(catalog),
      endpoints: buildEndpoints({
        ...{ options, catalog, registry, stores, accounts, clock, logger, metrics, gracefulShutdown, features },
        ...{ flowControl: limits.flowControl, workers },
        address: () => (serving === undefined ? '' : new URL(serving.url).host),
      }),
    });
    gracefulShutdown.serve(serving.listener);
    await configured;
    const controllers = startControllers(
      { stores, logger, rootCertificates: serving.caCertificate },
      enabledControllers,
    );
    gracefulShutdown.addShutdownHook(() => controllers.close());
    if (options.writeKubeconfig !== undefined) await writeKubeconfig(options.writeKubeconfig, serving.kubeconfig);
    logger.info({ url: serving.url, storage: options.storage ?? 'memory', revision: store.revision() }, 'serving');
    return describe(serving, { store, catalog, gracefulShutdown, logger });
  } catch (error) {
    await gracefulShutdown.close();
    throw error;
  }
}

async function servedGroups({ builtin = true, groups = [] }: ServerOptions): Promise<readonly ApiGroup[]> {
  return [typeof builtin === 'boolean' ? await ownGroups(builtin) : builtin, ...groups];
}

async function statusEncoder(catalog: Catalog): Promise<((status: Status) => Uint8Array) | undefined> {
  const codec = (await catalog.loadMeta()).Status?.protobuf as ProtobufCodec<Status> | undefined;
  if (codec === undefined) return undefined;
  return (status) => {
    const writer = new BinaryWriter();
    codec.encode(status, writer);
    return encodeEnvelope('v1', 'Status', writer.finish());
  };
}

interface EndpointParts {
  readonly options: ServerOptions;
  readonly catalog: Catalog;
  readonly registry: ResourceRegistry;
  readonly stores: ResourceStores;
  readonly accounts: ServiceAccounts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  readonly gracefulShutdown: GracefulShutdown;
  readonly features: FeatureGates;
  readonly flowControl?: FlowControl;
  readonly workers?: RequestWorkers;
  readonly address: () => string;
}

/** Resources by one Map look-up; everything else by the fixed routes. */
function buildEndpoints(parts: EndpointParts): ApiMiddleware {
  const { options, catalog, registry, stores, accounts, clock, logger, metrics, gracefulShutdown, features } = parts;
  const resources = createResourceHandler({
    ...{ registry, stores, clock },
    authorizer: options.authorizer ?? alwaysAllow,
    minRequestTimeout: options.minRequestTimeout ?? 1800,
    unsafeDeletion: features.AllowUnsafeMalformedObjectDeletion,
    issueToken: accounts.issueToken,
    workers: parts.workers,
  });
  const alive: HealthCheck[] = [
    { name: 'ping', check: () => undefined },
    { name: 'storage', check: () => void stores.revision() },
  ];
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check: () => {
      if (gracefulShutdown.isShuttingDown) throw new Error('process is shutting down');
    },
  };
  const others = fixedRoutes({
    ...{ logger, metrics, flowControl: parts.flowControl },
    liveness: alive,
    readiness: [...alive, shutdown],
    version: versionInfo(catalog.release),
    groupVersions: () => registry.groupVersions(),
    discovery: createDiscovery({ source: registry, serverAddress: parts.address }),
    openId: {
      configuration: () => accounts.openIdConfiguration(`https://${parts.address()}${openIdKeysPath}`),
      keys: () => accounts.openIdKeys(),
    },
  });
  return (ctx, next) => resources(ctx, () => others(ctx, next) as Promise<void>);
}

function describe(
  serving: SecureServing,
  parts: { store: ObjectStore; catalog: Catalog; gracefulShutdown: GracefulShutdown; logger: Logger },
): RunningServer {
  const { store, catalog, gracefulShutdown, logger } = parts;
  return {
    url: serving.url,
    port: serving.listener.port,
    version: gitVersion(catalog.release),
    kubeconfig: serving.kubeconfig,
    caCertificate: serving.caCertificate,
    clientCertificate: serving.admin.certificate,
    clientKey: serving.admin.key,
    logger,
    async client() {
      const { createClient } = await import('../../generated/v1.35/client.ts');
      const { certificate: cert, key } = serving.admin;
      const client = createClient({ server: serving.url, ca: serving.caCertificate, cert, key });
      gracefulShutdown.addShutdownHook(() => client.close());
      return client;
    },
    revision: () => store.revision(),
    compact: (revision = store.revision()) => store.compact(revision),
    close: () => gracefulShutdown.close(),
  };
}
