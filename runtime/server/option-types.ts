import type { Authorizer } from '../authorization/authorizer.ts';
import type { AnyConverter, AnyStrategy, ApiGroup, StrategyColumn } from '../machinery/api-group.ts';
import type { Clock } from '../machinery/clock.ts';
import { logLevels } from '../machinery/logger.ts';
import {
  boolean,
  callback,
  checked,
  count,
  either,
  implemented,
  listOf,
  mapOf,
  members,
  milliseconds,
  number,
  type OptionType,
  object,
  oneOf,
  text,
  whole,
} from '../machinery/options/option-type.ts';
import { replaySpec } from '../options/replay-spec.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { maxNodes, type SimulationOptions } from '../options/simulated-cluster.ts';
import type { PodHandlers } from '../streaming/pod-handlers.ts';
import type { Snapshot } from '../testkit/snapshot/snapshots.ts';
import type { ForkOptions } from './fork/fork-config.ts';

/* The options of servers and forks. What depends on other options is checked where they are used. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const column = object<StrategyColumn<object>>(
  {
    name: text,
    type: oneOf('string', 'integer', 'number', 'boolean', 'date'),
    format: text,
    description: text,
    field: oneOf('name', 'creationTimestamp'),
    priority: whole(0),
    cell: callback,
  },
  'name',
  'type',
  'cell',
);

const strategy = implemented<AnyStrategy>({
  create: callback,
  prepareForCreate: callback,
  prepareForUpdate: callback,
  validate: callback,
  validateUpdate: callback,
  warnings: callback,
  table: listOf(column),
});

const converter = implemented<AnyConverter>({ toStorage: callback, fromStorage: callback }, 'toStorage', 'fromStorage');

const catalog: OptionType<ApiGroup['catalog']> = checked(
  'the catalog of a generated module',
  (value) => isRecord(value) && Array.isArray(value.groupVersions),
);

export const apiGroup = object<ApiGroup>(
  { catalog, strategies: mapOf(strategy), conversions: mapOf(mapOf(converter)), module: text },
  'catalog',
  'strategies',
);

const clock = implemented<Clock>({ now: callback, after: callback }, 'now', 'after');

const podHandlers = implemented<PodHandlers>({
  exec: callback,
  attach: callback,
  logs: callback,
  portForward: callback,
});

const authorizer = implemented<Authorizer>({ authorize: callback, rulesFor: callback }, 'authorize');

export const simulationOptions = object<SimulationOptions>({
  nodes: whole(0, maxNodes),
  nodeCapacity: mapOf(text),
  stages: listOf(text),
  stageObjects: boolean,
  forwardToLocalhost: boolean,
});

/** What an object is, its reader says. */
const fixture: OptionType<string | Readonly<Record<string, unknown>>> = either(
  text,
  checked<Readonly<Record<string, unknown>>>('an object', isRecord),
);

const snapshot: OptionType<Snapshot> = checked(
  'a snapshot that a server has made',
  (value) => isRecord(value) && typeof value.revision === 'number',
);

/** A text that the server checks in the words of kube-apiserver's flag. */
const flagText = <T extends string>(): OptionType<T> => checked('a text', (value) => typeof value === 'string');

/** A whole number that the server checks in the words of kube-apiserver's flag. */
const flagWhole = whole(Number.MIN_SAFE_INTEGER);

/** A number of bytes, or Infinity for none. */
const bytesOrNone = either(
  whole(),
  checked<number>('Infinity', (value) => value === Number.POSITIVE_INFINITY),
);

export const serverMembers = members<ServerOptions>({
  enableAdmissionPlugins: listOf(text),
  disableAdmissionPlugins: listOf(text),
  admissionControlConfigFile: text,
  defaultNotReadyTolerationSeconds: count(),
  defaultUnreachableTolerationSeconds: count(),
  proxyClientCertFile: text,
  proxyClientKeyFile: text,
  enableAggregatorRouting: boolean,
  aggregatorRejectForwardingRedirect: boolean,
  builtin: either(boolean, apiGroup),
  kubernetes: text,
  groups: listOf(apiGroup),
  runtimeConfig: listOf(text),
  auditPolicyFile: text,
  auditLogPath: text,
  auditLogFormat: flagText(),
  auditLogMaxAge: flagWhole,
  auditLogMaxBackup: flagWhole,
  auditLogMaxSize: flagWhole,
  auditLogCompress: boolean,
  auditWebhookConfigFile: text,
  auditWebhookInitialBackoff: milliseconds(),
  clientCaFile: text,
  requestHeaderClientCaFile: text,
  requestHeaderAllowedNames: listOf(text),
  requestHeaderUsernameHeaders: listOf(text),
  requestHeaderUidHeaders: listOf(text),
  requestHeaderGroupHeaders: listOf(text),
  requestHeaderExtraHeadersPrefix: listOf(text),
  enableBootstrapTokenAuth: boolean,
  tokenAuthFile: text,
  anonymousAuth: boolean,
  serviceAccountSigningKeyFile: text,
  serviceAccountKeyFiles: listOf(text),
  serviceAccountIssuers: listOf(text),
  apiAudiences: listOf(text),
  serviceAccountJwksUri: text,
  serviceAccountMaxTokenExpiration: milliseconds(),
  serviceAccountExtendTokenExpiration: boolean,
  serviceAccountLookup: boolean,
  authenticationTokenWebhookConfigFile: text,
  authenticationTokenWebhookVersion: text,
  authenticationTokenWebhookCacheTtl: milliseconds(),
  authenticationConfig: text,
  oidcIssuerUrl: text,
  oidcClientId: text,
  oidcUsernameClaim: text,
  oidcUsernamePrefix: text,
  oidcGroupsClaim: text,
  oidcGroupsPrefix: text,
  oidcCaFile: text,
  oidcRequiredClaims: listOf(text),
  oidcSigningAlgs: listOf(text),
  authorizationMode: listOf(text),
  authorizationWebhookConfigFile: text,
  authorizationWebhookVersion: oneOf('v1', 'v1beta1'),
  authorizationWebhookCacheAuthorizedTTL: milliseconds(),
  authorizationWebhookCacheUnauthorizedTTL: milliseconds(),
  authorizationConfig: text,
  authorizer: authorizer,
  clusterSigningCertFile: text,
  clusterSigningKeyFile: text,
  clusterSigningKubeletServingCertFile: text,
  clusterSigningKubeletServingKeyFile: text,
  clusterSigningKubeletClientCertFile: text,
  clusterSigningKubeletClientKeyFile: text,
  clusterSigningKubeApiserverClientCertFile: text,
  clusterSigningKubeApiserverClientKeyFile: text,
  clusterSigningLegacyUnknownCertFile: text,
  clusterSigningLegacyUnknownKeyFile: text,
  clusterSigningDuration: milliseconds(600_000, Number.MAX_SAFE_INTEGER),
  authenticationKubeconfig: text,
  authenticationSkipLookup: boolean,
  authenticationTolerateLookupFailure: boolean,
  authorizationKubeconfig: text,
  authorizationAlwaysAllowPaths: listOf(text),
  kubeconfig: text,
  clock: either(oneOf('manual'), clock),
  seed: whole(Number.MIN_SAFE_INTEGER),
  kubeletClientCertificate: text,
  kubeletClientKey: text,
  kubeletCertificateAuthority: text,
  kubeletPreferredAddressTypes: listOf(text),
  kubeletPort: whole(0, 65_535),
  kubeletTimeout: milliseconds(),
  leaderElect: boolean,
  leaderElectLeaseDuration: milliseconds(),
  leaderElectRenewDeadline: milliseconds(),
  leaderElectRetryPeriod: milliseconds(),
  priorityAndFairness: boolean,
  maxRequestsInFlight: flagWhole,
  maxMutatingRequestsInFlight: flagWhole,
  workerThreshold: bytesOrNone,
  maxWatchesPerUser: count(),
  requestTimeout: milliseconds(1),
  minRequestTimeout: whole(1, 1_073_741),
  shutdownDelay: milliseconds(),
  drainTimeout: milliseconds(),
  record: text,
  replay: replaySpec,
  bindAddress: text,
  port: whole(0, 65_535),
  certDir: text,
  tlsCertFile: text,
  tlsPrivateKeyFile: text,
  tlsMinVersion: text,
  tlsCipherSuites: listOf(text),
  tlsSNICertKeys: listOf(text),
  http2MaxStreamsPerConnection: count(),
  corsAllowedOrigins: listOf(text),
  strictTransportSecurityDirectives: listOf(text),
  goawayChance: number(),
  shutdownSendRetryAfter: boolean,
  serviceClusterIpRange: text,
  serviceNodePortRange: text,
  kubernetesServiceNodePort: whole(0, 65_535),
  advertiseAddress: text,
  externalHostname: text,
  endpointReconcilerType: oneOf('lease', 'master-count', 'none'),
  apiserverCount: count(),
  simulate: either(boolean, simulationOptions),
  etcdServers: listOf(text),
  etcdServersOverrides: listOf(text),
  etcdPrefix: text,
  etcdCafile: text,
  etcdCertfile: text,
  etcdKeyfile: text,
  etcdCompactionInterval: milliseconds(),
  etcdCountMetricPollPeriod: milliseconds(),
  etcdDbMetricPollInterval: milliseconds(),
  etcdHealthcheckTimeout: milliseconds(),
  etcdReadycheckTimeout: milliseconds(),
  leaseReuseDurationSeconds: count(),
  storage: oneOf('memory', 'lmdb', 'etcd'),
  dataDir: text,
  encryptionProviderConfig: text,
  encryptionProviderConfigAutomaticReload: boolean,
  storageMediaType: text,
  unsafeNoFsync: boolean,
  eventTTL: milliseconds(),
  compactionWindow: milliseconds(),
  history: oneOf('window', 'all'),
  testControls: boolean,
  requestLog: count(),
  fixtures: either(fixture, listOf(fixture)),
  snapshot: text,
  pods: podHandlers,
  dial: callback,
  controllers: listOf(text),
  featureGates: listOf(text),
  logLevel: oneOf(...logLevels),
  writeKubeconfig: text,
  flags: mapOf(text),
  auditLogMode: flagText(),
  auditLogBatchBufferSize: count(),
  auditLogBatchMaxSize: count(),
  auditLogBatchMaxWait: milliseconds(),
  auditLogBatchThrottleEnable: boolean,
  auditLogBatchThrottleQPS: number(0),
  auditLogBatchThrottleBurst: count(),
  auditLogTruncateEnabled: boolean,
  auditLogTruncateMaxBatchSize: count(),
  auditLogTruncateMaxEventSize: count(),
  auditLogVersion: text,
  auditWebhookMode: flagText(),
  auditWebhookBatchBufferSize: count(),
  auditWebhookBatchMaxSize: count(),
  auditWebhookBatchMaxWait: milliseconds(),
  auditWebhookBatchThrottleEnable: boolean,
  auditWebhookBatchThrottleQPS: number(0),
  auditWebhookBatchThrottleBurst: count(),
  auditWebhookTruncateEnabled: boolean,
  auditWebhookTruncateMaxBatchSize: count(),
  auditWebhookTruncateMaxEventSize: count(),
  auditWebhookVersion: text,
});

export const serverOptions = object<ServerOptions>(serverMembers);

export const forkOptions = object<ForkOptions>({ listen: boolean, snapshot });
