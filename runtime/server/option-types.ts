import type { Authorizer } from '../authorization/authorizer.ts';
import type { ApiGroup } from '../machinery/api-group.ts';
import type { Clock } from '../machinery/clock.ts';
import {
  boolean,
  callback,
  checked,
  either,
  implemented,
  listOf,
  mapOf,
  members,
  number,
  type OptionType,
  object,
  oneOf,
  text,
  whole,
} from '../machinery/options/option-type.ts';
import { logLevels } from '../observe/logger.ts';
import type { SimulationOptions } from '../simulation/options.ts';
import type { PodHandlers } from '../streaming/pod-handlers.ts';
import { replaySpec } from '../testkit/option-types.ts';
import type { Snapshot } from '../testkit/snapshot/snapshots.ts';
import type { ForkOptions } from './fork/fork-config.ts';
import type { ServerOptions } from './options.ts';

/* The options of servers and forks. What depends on other options is checked where they are used. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const apiGroup: OptionType<ApiGroup> = checked(
  'an API group, as its generated module exports it',
  (value) => isRecord(value) && isRecord(value.catalog),
);

const clock = implemented<Clock>({ now: callback, after: callback }, 'now', 'after');

const podHandlers = implemented<PodHandlers>({
  ...{ exec: callback, attach: callback },
  ...{ logs: callback, portForward: callback },
});

const authorizer = implemented<Authorizer>({ authorize: callback, rulesFor: callback }, 'authorize');

export const simulationOptions = object<SimulationOptions>({
  nodes: whole(0),
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

/** A number that the server checks in the words of kube-apiserver's flag. */
const flagNumber = number();

export const serverMembers = members<ServerOptions>({
  enableAdmissionPlugins: listOf(text),
  disableAdmissionPlugins: listOf(text),
  admissionControlConfigFile: text,
  defaultNotReadyTolerationSeconds: number(0),
  defaultUnreachableTolerationSeconds: number(0),
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
  auditLogMaxAge: flagNumber,
  auditLogMaxBackup: flagNumber,
  auditLogMaxSize: flagNumber,
  auditLogCompress: boolean,
  auditWebhookConfigFile: text,
  auditWebhookInitialBackoff: flagNumber,
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
  serviceAccountMaxTokenExpiration: number(0),
  serviceAccountExtendTokenExpiration: boolean,
  serviceAccountLookup: boolean,
  authenticationTokenWebhookConfigFile: text,
  authenticationTokenWebhookVersion: text,
  authenticationTokenWebhookCacheTtl: number(0),
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
  authorizationWebhookCacheAuthorizedTTL: number(0),
  authorizationWebhookCacheUnauthorizedTTL: number(0),
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
  clusterSigningDuration: number(0),
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
  kubeletTimeout: number(0),
  leaderElect: boolean,
  leaderElectLeaseDuration: number(0),
  leaderElectRenewDeadline: number(0),
  leaderElectRetryPeriod: number(0),
  priorityAndFairness: boolean,
  maxRequestsInFlight: flagNumber,
  maxMutatingRequestsInFlight: flagNumber,
  workerThreshold: number(0),
  maxWatchesPerUser: number(0),
  requestTimeout: number(0),
  minRequestTimeout: number(0),
  shutdownDelay: number(0),
  drainTimeout: number(0),
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
  http2MaxStreamsPerConnection: number(0),
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
  apiserverCount: number(0),
  simulate: either(boolean, simulationOptions),
  etcdServers: listOf(text),
  etcdServersOverrides: listOf(text),
  etcdPrefix: text,
  etcdCafile: text,
  etcdCertfile: text,
  etcdKeyfile: text,
  etcdCompactionInterval: number(0),
  etcdCountMetricPollPeriod: number(0),
  etcdDbMetricPollInterval: number(0),
  etcdHealthcheckTimeout: number(0),
  etcdReadycheckTimeout: number(0),
  leaseReuseDurationSeconds: number(0),
  storage: oneOf('memory', 'lmdb', 'etcd'),
  dataDir: text,
  encryptionProviderConfig: text,
  encryptionProviderConfigAutomaticReload: boolean,
  storageMediaType: text,
  unsafeNoFsync: boolean,
  eventTTL: number(0),
  compactionWindow: number(0),
  history: oneOf('window', 'all'),
  testControls: boolean,
  requestLog: number(0),
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
  auditLogBatchBufferSize: flagNumber,
  auditLogBatchMaxSize: flagNumber,
  auditLogBatchMaxWait: flagNumber,
  auditLogBatchThrottleEnable: boolean,
  auditLogBatchThrottleQPS: flagNumber,
  auditLogBatchThrottleBurst: flagNumber,
  auditLogTruncateEnabled: boolean,
  auditLogTruncateMaxBatchSize: flagNumber,
  auditLogTruncateMaxEventSize: flagNumber,
  auditLogVersion: text,
  auditWebhookMode: flagText(),
  auditWebhookBatchBufferSize: flagNumber,
  auditWebhookBatchMaxSize: flagNumber,
  auditWebhookBatchMaxWait: flagNumber,
  auditWebhookBatchThrottleEnable: boolean,
  auditWebhookBatchThrottleQPS: flagNumber,
  auditWebhookBatchThrottleBurst: flagNumber,
  auditWebhookTruncateEnabled: boolean,
  auditWebhookTruncateMaxBatchSize: flagNumber,
  auditWebhookTruncateMaxEventSize: flagNumber,
  auditWebhookVersion: text,
});

export const serverOptions = object<ServerOptions>(serverMembers);

export const forkOptions = object<ForkOptions>({ listen: boolean, snapshot });
