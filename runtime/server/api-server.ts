import { isIPv6 } from 'node:net';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { exemptGroup } from '../admission/exempt-group.ts';
import { LocalRateLimiters } from '../admission/rate-limiters.ts';
import { openIdKeysPath } from '../authentication/service-account/openid.ts';
import { encodeEnvelope } from '../codec/protobuf.ts';
import type { Dormancy } from '../controllers/start-controllers.ts';
import { createDiscoveryHandler } from '../endpoints/discovery/discovery.ts';
import { createResourceHandler } from '../endpoints/dispatch.ts';
import type { RequestWorkers } from '../endpoints/resource-request.ts';
import type { APIAggregator } from '../extensions/aggregation/aggregator.ts';
import type { AuditFilterOptions } from '../filters/audit.ts';
import type { ApiMiddleware } from '../http/context.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import type { ServiceAllocators } from '../kinds/core/service/allocators.ts';
import { LocalServiceAllocators } from '../kinds/core/service/local-allocators.ts';
import { builtinStrategies } from '../kinds/strategies.ts';
import type { Admission } from '../machinery/admission.ts';
import type { Catalog } from '../machinery/catalog.ts';
import type { Status } from '../machinery/errors/status.ts';
import type { ProtobufCodec } from '../machinery/protobuf/codec.ts';
import { RequestMetrics } from '../observe/request-metrics.ts';
import { ProxyTransports } from '../proxy/transport.ts';
import type { QuotaAccountant } from '../quota/accountant.ts';
import { withGroupStrategies } from '../resources/group-strategies.ts';
import { Listers } from '../resources/lister.ts';
import { ResourceRegistry } from '../resources/registry.ts';
import { RESTMapper } from '../resources/rest-mapper.ts';
import { ResourceStores } from '../resources/stores.ts';
import type { ObjectStore } from '../storage/object-store/contract.ts';
import { testGroupName } from '../testkit/group/group-name.ts';
import { newAdmissionChain, requireConfigured } from './admission.ts';
import { aggregatorSteps, type RunningAggregator, startAggregator } from './aggregator.ts';
import { openAudit } from './audit.ts';
import { ServerAuthentication } from './authentication.ts';
import { ServerAuthorization } from './authorization/authorization.ts';
import { componentProbes } from './component-probes.ts';
import type { CompletedConfig } from './config.ts';
import { ControlPlaneControllers } from './control-plane-controllers.ts';
import { ControllerManager } from './controller-manager.ts';
import { csrSigning } from './csr-signing.ts';
import { serveCustomResources } from './custom-resources.ts';
import { openDelegateObjects } from './delegated/config.ts';
import type { DelegateObjects } from './delegated/delegate-objects.ts';
import type { EncryptionConfig } from './encryption-config/encryption-config.ts';
import type { ServerEtcd } from './etcd.ts';
import { ServerFlowControl } from './flow-control.ts';
import { forkDormancy } from './fork/dormancy.ts';
import type { CurrentParts } from './fork/origin.ts';
import type { GracefulShutdown } from './graceful-shutdown.ts';
import { type HealthChecks, healthChecks } from './health-checks.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { openKubelets } from './kubelets.ts';
import { MetricsPage } from './metrics-page.ts';
import { quotaAccountant } from './quota.ts';
import { fixedRoutes, isFixedPath } from './routes.ts';
import { newSchemaResolver } from './schema-resolver.ts';
import { type SecureServing, startSecureServing } from './secure-serving.ts';
import type { InheritedTokenKeys } from './service-accounts.ts';
import { handledNodes, proxyDial, simulatedProcesses } from './simulation.ts';
import { startSteps } from './start-steps.ts';
import { loadEncryption, type OpenedStorage, openStorage } from './storage.ts';
import type { TestKit } from './test-kit.ts';
import { versionInfo } from './version.ts';
import { PooledRequestWorkers } from './workers/request-workers.ts';
import { zpagesOf } from './zpages.ts';

/** What the phases of a server share. */
interface ApiServerComponents {
  readonly config: CompletedConfig;
  readonly waitGroup: RequestWaitGroup;
  readonly shutdown: GracefulShutdown;
  readonly testKit: TestKit;
  readonly store: ObjectStore;
  /** Absent if the objects are not in etcd. */
  readonly etcd: ServerEtcd | undefined;
  /** Absent for engines that can always be written, or that are asked otherwise. */
  readonly checkWritable: (() => void) | undefined;
  /** Absent if stored objects are not encrypted. */
  readonly encryption: EncryptionConfig | undefined;
  readonly registry: ResourceRegistry;
  readonly stores: ResourceStores;
  readonly listers: Listers;
  readonly rateLimiters: LocalRateLimiters;
  /** Absent if this server stands behind no other. */
  readonly delegate: DelegateObjects | undefined;
  readonly serviceAllocators: ServiceAllocators;
  readonly authentication: ServerAuthentication;
  readonly authorization: ServerAuthorization;
  readonly admission: Admission;
  readonly quota: QuotaAccountant;
  readonly flowControl: ServerFlowControl;
  readonly metrics: RequestMetrics;
}

/**
 * A server with an open store and a complete registry. `prepareRun` creates the objects that every cluster has, and
 * `run` of what it returns opens the port. Every phase registers what it opened with `shutdown`, which closes it.
 * (GenericAPIServer)
 */
export class ApiServer {
  readonly #components: ApiServerComponents;

  private constructor(components: ApiServerComponents) {
    this.#components = components;
  }

  /** @throws OptionError for an invalid option, StorageError if the store cannot be opened */
  static async open(
    config: CompletedConfig,
    waitGroup: RequestWaitGroup,
    shutdown: GracefulShutdown,
    testKit: TestKit,
  ): Promise<ApiServer> {
    const { options, clock, random, keys, groups, catalogs, logger, features, services, minor } = config;
    const metrics = new RequestMetrics();
    const encryption = await loadEncryption(options, clock, logger);
    shutdown.addShutdownHook(() => encryption?.close());
    const storage: OpenedStorage =
      config.origin ??
      (await openStorage(options, {
        ...{ clock, logger, minor, catalogs, features, encryption },
        ...{ recorder: testKit.recorder, replay: testKit.replay },
        builtin: config.builtin,
        builtinCatalog: groups[0].catalog,
      }));
    const { etcd, checkWritable } = storage;
    const store = config.testGroup?.withTestObjects(storage.store) ?? storage.store;
    shutdown.addShutdownHook(() => store.close());
    const registry = new ResourceRegistry();
    for (const catalog of catalogs) registry.add(catalog);
    // how long it takes to load a module is left to chance
    if (options.seed !== undefined) await Promise.all([...registry.entries()].map((entry) => entry.load()));
    const mapper = new RESTMapper(registry);
    const authentication = await ServerAuthentication.open({
      ...{ options, clock, random, keys, logger, features, stores: () => stores },
      inherited: config.origin?.tokenKeys,
      metrics: metrics.delegated.authentication,
    });
    shutdown.addShutdownHook(() => authentication.close());
    const authorization = await ServerAuthorization.open({
      ...{ options, clock, logger, minor, policy: config.origin?.current?.policy },
      metrics: metrics.delegated.authorization,
    });
    shutdown.addShutdownHook(() => authorization.close());
    const { tokens, audiences } = authentication;
    const { authorizer, policy } = authorization;
    const serviceAllocators = new LocalServiceAllocators(services, () => stores);
    const stores: ResourceStores = new ResourceStores({
      ...{ registry, store, clock, random, hostname: config.place.hostname },
      strategies: withGroupStrategies(
        {
          ...builtinStrategies({
            ...{ authorizer, ruleResolver: policy, tokens, audiences, serviceAllocators, kinds: mapper },
            componentProbes: componentProbes(() => stores.revision()),
            eventTTL: options.eventTTL,
            features: config.features,
            minor,
          }),
          ...config.testGroup?.strategies,
        },
        groups,
      ),
    });
    const delegate = await openDelegateObjects({ options, clock, logger });
    shutdown.addShutdownHook(() => delegate?.close());
    const listers = new Listers(stores, true, delegate);
    const quota = quotaAccountant(stores, listers, config);
    const rateLimiters = new LocalRateLimiters(clock);
    const chain = newAdmissionChain(config.admission, {
      ...{ stores, listers, mapper, authorizer, clock, quota, rateLimiters },
      metrics: metrics.admission,
    });
    await requireConfigured(chain, options);
    const admission = config.testGroup === undefined ? chain : exemptGroup(testGroupName, chain);
    stores.admission = admission;
    const flowControl = new ServerFlowControl({ options, stores, clock, logger, minor, delegate });
    return new ApiServer({
      ...{ config, waitGroup, shutdown, testKit, store, etcd, checkWritable, encryption },
      ...{ registry, stores, listers, delegate, serviceAllocators, authentication, authorization, admission, quota },
      ...{ rateLimiters, flowControl, metrics },
    });
  }

  get store(): ObjectStore {
    return this.#components.store;
  }

  /** For a fork that begins with the objects of now. */
  current(): CurrentParts {
    const { authorization, flowControl } = this.#components;
    return { policy: authorization.policy.copy(), flowControl: flowControl.flowControl };
  }

  /** The keys of the tokens that a fork accepts which begins now. */
  forkTokenKeys(): Promise<InheritedTokenKeys> {
    return this.#components.authentication.accounts.fork();
  }

  get stores(): ResourceStores {
    return this.#components.stores;
  }

  /** Creates the objects that every cluster has, and begins to serve custom resources. */
  async prepareRun(): Promise<PreparedServer> {
    const { config, shutdown, stores, authorization, flowControl, testKit } = this.#components;
    const restoration = testKit.initialSnapshot?.restorationTo(stores);
    // the others are custom resources, whose definitions are among these
    await restoration?.restoreServed();
    const controlPlane = new ControlPlaneControllers(config, { stores, logger: config.logger }, shutdown);
    if (config.origin === undefined) await controlPlane.prepare();
    shutdown.addShutdownHook(await authorization.follow(stores));
    const customResources = await serveCustomResources(stores, config.logger);
    shutdown.addShutdownHook(() => customResources.close());
    await restoration?.restoreRest();
    const aggregation = await startAggregator(config, stores);
    shutdown.addShutdownHook(() => aggregation.close());
    const dormancy = config.origin && (await forkDormancy(stores, config.origin.busy));
    shutdown.addShutdownHook(() => dormancy?.alarm.close());
    const origin = config.origin?.current?.flowControl;
    const flowControlReady = config.startOrder(async () => {
      if (dormancy !== undefined && origin !== undefined) flowControl.startAs(origin, dormancy.alarm);
      else await flowControl.start();
    });
    // `run` awaits it, unless it fails before
    flowControlReady.catch(() => undefined);
    shutdown.addShutdownHook(() => flowControl.close());
    return new PreparedServer(this.#components, { flowControlReady, controlPlane, aggregation, dormancy });
  }
}

/** What is under way when the port opens. */
interface StartedParts {
  readonly flowControlReady: Promise<void>;
  readonly controlPlane: ControlPlaneControllers;
  readonly aggregation: RunningAggregator;
  /** Absent if all controllers begin at once. */
  readonly dormancy: Dormancy | undefined;
}

/** A server that lacks nothing but its port. (preparedGenericAPIServer) */
export class PreparedServer {
  readonly #components: ApiServerComponents;
  readonly #flowControlReady: Promise<void>;
  readonly #controlPlane: ControlPlaneControllers;
  readonly #aggregation: RunningAggregator;
  readonly #metrics: RequestMetrics;
  readonly #dormancy: Dormancy | undefined;
  #setAnnounced: () => void = () => undefined;
  /** Resolves when programs may read the kubeconfig and use the test controls. */
  readonly #announced = new Promise<void>((resolve) => {
    this.#setAnnounced = resolve;
  });
  #serving: SecureServing | undefined;
  #controllers: ControllerManager | undefined;

  constructor(
    components: ApiServerComponents,
    { flowControlReady, controlPlane, aggregation, dormancy }: StartedParts,
  ) {
    this.#dormancy = dormancy;
    this.#controlPlane = controlPlane;
    this.#components = components;
    this.#metrics = components.metrics;
    this.#flowControlReady = flowControlReady;
    this.#aggregation = aggregation;
  }

  get #aggregator(): APIAggregator | undefined {
    return this.#aggregation.aggregator;
  }

  /** Opens the port and starts the controllers. Resolves when the server can do all it does but for what `announce` does. */
  async run(): Promise<SecureServing> {
    const { config, shutdown, stores, authentication, authorization, quota, testKit } = this.#components;
    const { options, logger } = config;
    const audit = await openAudit({ options, clock: config.clock, logger, metrics: this.#metrics.audit });
    shutdown.addShutdownHook(() => audit?.backend.shutdown());
    const workers = this.#openWorkers();
    shutdown.addShutdownHook(() => workers?.close());
    const serving = await this.#serve(workers, audit);
    await this.#flowControlReady;
    const { port } = serving.listener;
    const dormancy = this.#dormancy;
    if (dormancy === undefined) await this.#controlPlane.run(port, authentication);
    else await this.#controlPlane.sleep(port, authentication, dormancy.alarm);
    const rootCertificates = serving.caCertificate;
    const { issueLegacyToken } = authentication.accounts;
    const signing = await csrSigning(options, () => serving.signer.current());
    const { authorizer } = authorization;
    const resolveSchema = newSchemaResolver(stores.registry);
    const { features } = config;
    const context = {
      ...{ stores, logger, rootCertificates, issueLegacyToken, authorizer, signing, quota, resolveSchema, features },
    };
    const remoteResources = this.#aggregator?.resources;
    const { leaderElection } = config;
    const set = { names: config.controllers, others: simulatedProcesses(options), order: config.startOrder, dormancy };
    const controllers = new ControllerManager({ ...context, remoteResources }, set, leaderElection);
    shutdown.addShutdownHook(() => controllers.close());
    this.#controllers = controllers;
    await testKit.fixtures?.load(serving);
    // what tests ask about begins here
    testKit.requestLog?.clear();
    await controllers.start();
    // so that the roles admin, edit and view have their rules, simulated nodes are there, and nothing is written any more to what
    // every cluster has
    await Promise.all([
      controllers.syncedOf('clusterrole-aggregation-controller'),
      controllers.syncedOf('service-cidr-controller'),
      controllers.syncedOf('serviceaccount-controller'),
      controllers.syncedOf('root-ca-certificate-publisher-controller'),
      controllers.syncedOf('kubelets'),
    ]);
    // where things start one by one, all the others, too
    await config.startOrder(() => undefined);
    return serving;
  }

  /** Writes the kubeconfig, and then says in the log and by /readyz that the server is ready. */
  async announce({ url, kubeconfig }: SecureServing): Promise<void> {
    const { config, store } = this.#components;
    const { options, logger } = config;
    if (options.writeKubeconfig !== undefined) await writeKubeconfig(options.writeKubeconfig, kubeconfig);
    this.#setAnnounced();
    logger.info({ url, storage: options.storage ?? 'memory', revision: store.revision() }, 'serving');
  }

  /** The controllers that have something left to do. */
  busyControllers(): ReadonlySet<string> {
    return new Set(this.#controllers?.busy());
  }

  #openWorkers(): PooledRequestWorkers | undefined {
    const { config, stores, listers, serviceAllocators, quota, rateLimiters } = this.#components;
    const { authentication, authorization } = this.#components;
    const { accounts, tokens } = authentication;
    const { options, clock, features } = config;
    return PooledRequestWorkers.open({
      ...{ stores, listers, rateLimiters, clock, tokens, quota, serviceAllocators },
      ...{ authorizer: authorization.authorizer, ruleResolver: authorization.policy },
      audiences: accounts.audiences,
      issueToken: accounts.issueToken,
      builtin: config.builtin,
      groups: config.groups.slice(1),
      runtimeConfig: options.runtimeConfig ?? [],
      features,
      unsafeDeletion: features.AllowUnsafeMalformedObjectDeletion,
      admission: config.admission,
      admissionMetrics: this.#metrics.admission,
      threshold: options.workerThreshold,
    });
  }

  async #serve(workers: RequestWorkers | undefined, audit: AuditFilterOptions | undefined): Promise<SecureServing> {
    const { config, waitGroup, shutdown, authentication, authorization, flowControl, testKit } = this.#components;
    const { options, clock, logger, features, catalogs } = config;
    const { authorizer } = authorization;
    this.#serving = await startSecureServing({
      ...{ options, authentication, authorizer, audit, clock, logger, features, waitGroup },
      ...{ random: config.random, keys: config.keys, requestOrder: config.requestOrder },
      origin: config.origin,
      exemptGroup: config.testGroup?.strict,
      metrics: this.#metrics,
      ...(options.shutdownSendRetryAfter ? { isDraining: () => shutdown.isDraining } : {}),
      serves: (info) => this.#serves(info),
      encodeProtobufStatus: await statusEncoder(catalogs[0]),
      flowControl: flowControl.filter,
      requestLog: testKit.requestLog?.filter,
      recording: testKit.recorder?.filter,
      replay: options.replay?.paused ? testKit.replay?.filter : undefined,
      endpoints: await this.#buildEndpoints(workers),
    });
    shutdown.setListener(this.#serving.listener);
    this.#aggregation.listening(this.#serving.url);
    return this.#serving;
  }

  #serves({ isResourceRequest, group, version, resource, path }: RequestInfo): boolean {
    if (!isResourceRequest) return isFixedPath(path);
    if (this.#aggregator?.isRemote(group, version)) return false;
    return this.#components.registry.lookup(group, version, resource) !== undefined;
  }

  /** Resources are found by a Map look-up, everything else by the fixed routes. (director in pkg/server/handler.go) */
  async #buildEndpoints(workers: RequestWorkers | undefined): Promise<ApiMiddleware> {
    const { config, registry, stores, etcd, authentication, authorization, flowControl, encryption } = this.#components;
    const { admission, shutdown } = this.#components;
    const { accounts } = authentication;
    const { openId } = accounts;
    const { authorizer } = authorization;
    const { options, clock, logger, features, catalogs } = config;
    const proxyTransports = new ProxyTransports(await proxyDial(options, stores));
    shutdown.addShutdownHook(() => proxyTransports.close());
    const kubelets = await openKubelets(config, stores, proxyTransports);
    shutdown.addShutdownHook(() => kubelets?.close());
    const resources = createResourceHandler({
      ...{ registry, stores, clock, authorizer, admission, workers },
      metrics: this.#metrics,
      minRequestTimeout: options.minRequestTimeout ?? 1800,
      keepsHistory: options.history === 'all',
      unsafeDeletion: features.AllowUnsafeMalformedObjectDeletion,
      issueToken: accounts.issueToken,
      nodes: handledNodes(options, stores, kubelets),
      proxyTransports,
    });
    const version = versionInfo(catalogs[0].release);
    const {
      advertiseAddress = '',
      externalHostname = isIPv6(advertiseAddress) ? `[${advertiseAddress}]` : advertiseAddress,
    } = options;
    const address = (): string => {
      if (this.#serving === undefined) return '';
      const { host, port } = new URL(this.#serving.url);
      return externalHostname ? `${externalHostname}:${port}` : host;
    };
    const routes = fixedRoutes({
      ...{ logger, flowControl: flowControl.flowControl },
      ...this.#healthChecks(),
      version,
      metrics: new MetricsPage({
        ...{ requests: this.#metrics, flowControl: flowControl.flowControl, encryption, etcd },
        ...{ stores, options, features, version },
        aggregator: this.#aggregator?.metrics,
      }),
      zpages: zpagesOf({ features, version, flags: options.flags }),
      groupVersions: () => [...registry.groupVersions(), ...(this.#aggregator?.remoteGroupVersions() ?? [])],
      discovery: createDiscoveryHandler({
        source: registry,
        aggregation: this.#aggregator?.discovery,
        openApiAggregation: this.#aggregator?.openapi,
        serverAddress: address,
      }),
      openId: openId && {
        configuration: () => openId.configuration(`https://${address()}${openIdKeysPath}`),
        keys: () => openId.keys(),
      },
    });
    const local: ApiMiddleware = (ctx, next) => resources(ctx, () => routes(ctx, next) as Promise<void>);
    const aggregator = this.#aggregator;
    if (aggregator === undefined) return local;
    return (ctx, next) => {
      const remote = aggregator.handlerOf(ctx);
      return remote === undefined ? local(ctx, next) : remote.handle(ctx);
    };
  }

  #healthChecks(): HealthChecks {
    const { config, stores, etcd, checkWritable, delegate, shutdown, registry, flowControl, encryption, testKit } =
      this.#components;
    const kmsProviders = encryption?.healthCheck;
    const readStore = (): void => void stores.revision();
    return healthChecks({
      checkStoreHealth: etcd?.checkHealth ?? readStore,
      checkStoreReadiness: etcd?.checkReadiness ?? checkWritable ?? readStore,
      storeOverrides: etcd?.overrides ?? [],
      isShuttingDown: () => shutdown.isShuttingDown,
      unsyncedInformers: () => delegate?.unsynced() ?? [],
      withoutLivez: kmsProviders === undefined ? [] : [kmsProviders],
      startSteps: [
        ...startSteps({
          ...{ config, registry, hasQueues: flowControl.flowControl !== undefined },
          flowControlReady: this.#flowControlReady,
          controlPlaneStarted: this.#controlPlane.started,
          fixturesLoaded: testKit.fixtures?.loaded,
          announced: this.#announced,
        }),
        ...(this.#aggregator ? aggregatorSteps(config.options) : []),
      ],
    });
  }
}

/** Encodes a Status in protobuf; undefined if the release has no codec for it. */
async function statusEncoder(catalog: Catalog): Promise<((status: Status) => Uint8Array) | undefined> {
  const codec = (await catalog.loadMeta()).Status?.protobuf as ProtobufCodec<Status> | undefined;
  if (codec === undefined) return undefined;
  return (status) => {
    const writer = new BinaryWriter();
    codec.encode(status, writer);
    return encodeEnvelope('v1', 'Status', writer.finish());
  };
}
