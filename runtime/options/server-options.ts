// Written by `make generate` from the rows in runtime/options. Do not edit.

import type { Authorizer } from '../authorization/authorizer.ts';
import type { Dial } from '../client/transport/dial.ts';
import type { ApiGroup } from '../machinery/api-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { PodHandlers } from '../streaming/pod-handlers.ts';
import type { FixtureSources } from './fixture-sources.ts';
import type { ReplaySpec } from './replay-spec.ts';
import type { SimulationOptions } from './simulated-cluster.ts';

export { OptionError } from '../machinery/options/option-error.ts';

/** The options of a server. All have defaults: `startServer()` runs a server in memory on a free port of 127.0.0.1. */
export interface ServerOptions {
  // Generic

  /**
   * The address under which others in the cluster reach the server. Default: `bindAddress`, or if it is a loopback address or
   * none in particular, the first address of the host's network interfaces.
   */
  readonly advertiseAddress?: string | undefined;
  /** The host in URLs of this server, as in the discovery of OpenID Connect. Default: `advertiseAddress`, if it is set. */
  readonly externalHostname?: string | undefined;
  /** The timeout of requests that are not long-running, in milliseconds. Default: one minute. */
  readonly requestTimeout?: number | undefined;
  /** The shortest time of watches without timeoutSeconds, in seconds; the longest is twice that. Default: half an hour. */
  readonly minRequestTimeout?: number | undefined;
  /**
   * The most concurrent read requests. Default: 400. With priority and fairness, the two limits add up to the number of seats.
   */
  readonly maxRequestsInFlight?: number | undefined;
  /** The most concurrent mutating requests. Default: 200. */
  readonly maxMutatingRequestsInFlight?: number | undefined;
  /** The most watches and other long-running requests of one user; 0 for no limit. Default: 10,000. */
  readonly maxWatchesPerUser?: number | undefined;
  /** Milliseconds between the failure of /readyz and the closing of the port. Default: 0. */
  readonly shutdownDelay?: number | undefined;
  /** Milliseconds that running requests have to finish when the server stops. Default: 10 s. */
  readonly drainTimeout?: number | undefined;
  /** Whether requests that come while the server drains get a 429 with Retry-After. Default: false, connections are refused. */
  readonly shutdownSendRetryAfter?: boolean | undefined;
  /** The part of HTTP/2 requests whose connection is ended by GOAWAY, up to 0.02. Default: 0. */
  readonly goawayChance?: number | undefined;
  /** Regular expressions of the origins whose pages may use the API. Default: none. */
  readonly corsAllowedOrigins?: readonly string[] | undefined;
  /** For the header Strict-Transport-Security: `max-age=31536000`, `includeSubDomains`, `preload`. Default: no header. */
  readonly strictTransportSecurityDirectives?: readonly string[] | undefined;
  /** For example `APIResponseCompression=false`. */
  readonly featureGates?: readonly string[] | undefined;
  /** Path of the admin kubeconfig, which is written when the server is ready. Default: it is not written. */
  readonly writeKubeconfig?: string | undefined;
  /**
   * For example `*`, `-garbage-collector-controller`, `serviceaccount-token-controller`. Default: `*`, which is all but
   * serviceaccount-token-controller.
   */
  readonly controllers?: readonly string[] | undefined;

  // Storage

  /** Default: etcd if there are servers of it, otherwise memory. */
  readonly storage?: 'memory' | 'lmdb' | 'etcd' | undefined;
  /** The folder of the LMDB store. It is created if it does not exist. Default: `data`. */
  readonly dataDir?: string | undefined;
  /** URLs of the members of one cluster, as `https://10.0.0.1:2379`. */
  readonly etcdServers?: readonly string[] | undefined;
  /** Built-in resources that are in other clusters, as `/events#http://10.0.0.2:2379;http://10.0.0.3:2379`. */
  readonly etcdServersOverrides?: readonly string[] | undefined;
  /** What all keys begin with. Default: `/registry`. */
  readonly etcdPrefix?: string | undefined;
  /** A file with the certificates that etcd is trusted by. Default: those of the system. */
  readonly etcdCafile?: string | undefined;
  /** The certificate by which etcd knows this server. It is read for every connection. Default: none. */
  readonly etcdCertfile?: string | undefined;
  /** Its key. */
  readonly etcdKeyfile?: string | undefined;
  /** Milliseconds between two compactions; 0 for none by this server. Default: five minutes. */
  readonly etcdCompactionInterval?: number | undefined;
  /** 0 for no metrics of the number of objects, which are otherwise counted when they are asked for. Default: a minute. */
  readonly etcdCountMetricPollPeriod?: number | undefined;
  /** Without effect: the metric that it is for has been hidden since 1.28. Default: 30 seconds. */
  readonly etcdDbMetricPollInterval?: number | undefined;
  /** Milliseconds for the check `etcd`. Default: 2,000. */
  readonly etcdHealthcheckTimeout?: number | undefined;
  /** Milliseconds for the check `etcd-readiness`. Default: 2,000. */
  readonly etcdReadycheckTimeout?: number | undefined;
  /** Seconds for which a lease is used for new objects that expire. Default: 60. */
  readonly leaseReuseDurationSeconds?: number | undefined;
  /** The path of an EncryptionConfiguration, which says how objects are encrypted in the store. Default: they are not. */
  readonly encryptionProviderConfig?: string | undefined;
  /** Read that file again when it changes. Default: false. */
  readonly encryptionProviderConfigAutomaticReload?: boolean | undefined;
  /**
   * What built-in kinds are in etcd: application/json, application/yaml, or application/vnd.kubernetes.protobuf, which is the
   * default. The other engines ignore it, they have JSON.
   */
  readonly storageMediaType?: string | undefined;
  /** LMDB without fsync: a crash may lose the last writes. Default: false. */
  readonly unsafeNoFsync?: boolean | undefined;
  /** Milliseconds after which an Event that is not written again is deleted. Default: an hour. */
  readonly eventTTL?: number | undefined;
  /** Milliseconds for which history stays readable, for watches and continue tokens. Default: five minutes. */
  readonly compactionWindow?: number | undefined;
  /**
   * `all`: the server compacts nothing by itself. Every revision can be listed and watched, and a get, too, may have
   * resourceVersionMatch=Exact. All changes are in memory. Default: `window`, which is `compactionWindow`.
   */
  readonly history?: 'window' | 'all' | undefined;

  // Secure serving

  /** The address to bind. Default: 127.0.0.1. */
  readonly bindAddress?: string | undefined;
  /** The port to bind. Default: 0, any free port. */
  readonly port?: number | undefined;
  /**
   * The folder of the certificates, which are created on the first start, and of the signing key for tokens, which is created
   * when it is first needed. Default: certificates and key exist only in memory.
   */
  readonly certDir?: string | undefined;
  /**
   * PEM files of the serving certificate, with its chain, and its key; read again when they change. Default: the server's own.
   */
  readonly tlsCertFile?: string | undefined;
  /** PEM file of the private key of `tlsCertFile`. */
  readonly tlsPrivateKeyFile?: string | undefined;
  /** VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13. Default: VersionTLS12. */
  readonly tlsMinVersion?: string | undefined;
  /** Go's names of cipher suites for TLS 1.2. Default: those that Go offers. */
  readonly tlsCipherSuites?: readonly string[] | undefined;
  /** Certificates by the name that clients ask for: `foo.crt,foo.key` or `foo.crt,foo.key:*.foo.com,foo.com`. Default: none. */
  readonly tlsSNICertKeys?: readonly string[] | undefined;
  /** The most concurrent requests of one HTTP/2 connection. Default: 0, which means 100, or 1000 with a delegate. */
  readonly http2MaxStreamsPerConnection?: number | undefined;

  // Auditing

  /** File with an audit.k8s.io/v1 Policy. Default: nothing is audited. */
  readonly auditPolicyFile?: string | undefined;
  /** The file of the log; `-` for standard output. Default: no log. */
  readonly auditLogPath?: string | undefined;
  /** `legacy` is one line of text for each event. Default: `json`. */
  readonly auditLogFormat?: 'legacy' | 'json' | undefined;
  /** Days that rotated files are kept; 0, the default, for ever. */
  readonly auditLogMaxAge?: number | undefined;
  /** How many rotated files are kept; 0, the default, for all. */
  readonly auditLogMaxBackup?: number | undefined;
  /** Megabytes after which the file is rotated. Default: 0, which means 100. */
  readonly auditLogMaxSize?: number | undefined;
  /** Whether rotated files are compressed. Default: false. */
  readonly auditLogCompress?: boolean | undefined;
  /**
   * `batch`: requests never wait, and events are dropped when too many wait. `blocking`: requests wait until their events are
   * written, or have failed. `blocking-strict`: a request fails if its first event cannot be written. Default: `blocking`.
   */
  readonly auditLogMode?: 'batch' | 'blocking' | 'blocking-strict' | undefined;
  /** How many events may wait. Only in batch mode. Default: 10,000. */
  readonly auditLogBatchBufferSize?: number | undefined;
  /** How many events are sent at once. Only in batch mode. Default: 1. */
  readonly auditLogBatchMaxSize?: number | undefined;
  /** How long an event waits for others, in milliseconds. Only in batch mode. Default: 0s. */
  readonly auditLogBatchMaxWait?: number | undefined;
  /** Whether the number of batches is limited. Only in batch mode. Default: false. */
  readonly auditLogBatchThrottleEnable?: boolean | undefined;
  /** The most batches per second on average. Only in batch mode. Default: 0. */
  readonly auditLogBatchThrottleQPS?: number | undefined;
  /** The most batches at once, after a pause. Only in batch mode. Default: 0. */
  readonly auditLogBatchThrottleBurst?: number | undefined;
  /** Whether large events lose their bodies, and large batches are split. Default: false. */
  readonly auditLogTruncateEnabled?: boolean | undefined;
  /** The most bytes of a batch. Default: 10 MiB. */
  readonly auditLogTruncateMaxBatchSize?: number | undefined;
  /** The most bytes of an event. A larger one loses its bodies, or is dropped. Default: 100 KiB. */
  readonly auditLogTruncateMaxEventSize?: number | undefined;
  /** The API version of events. Default: `audit.k8s.io/v1`. */
  readonly auditLogVersion?: string | undefined;
  /** A kubeconfig that says where events are sent. Default: no webhook. */
  readonly auditWebhookConfigFile?: string | undefined;
  /** Milliseconds before a failed call is repeated for the first time. Default: ten seconds. */
  readonly auditWebhookInitialBackoff?: number | undefined;
  /**
   * `batch`: requests never wait, and events are dropped when too many wait. `blocking`: requests wait until their events are
   * written, or have failed. `blocking-strict`: a request fails if its first event cannot be written. Default: `batch`.
   */
  readonly auditWebhookMode?: 'batch' | 'blocking' | 'blocking-strict' | undefined;
  /** How many events may wait. Only in batch mode. Default: 10,000. */
  readonly auditWebhookBatchBufferSize?: number | undefined;
  /** How many events are sent at once. Only in batch mode. Default: 400. */
  readonly auditWebhookBatchMaxSize?: number | undefined;
  /** How long an event waits for others, in milliseconds. Only in batch mode. Default: 30s. */
  readonly auditWebhookBatchMaxWait?: number | undefined;
  /** Whether the number of batches is limited. Only in batch mode. Default: true. */
  readonly auditWebhookBatchThrottleEnable?: boolean | undefined;
  /** The most batches per second on average. Only in batch mode. Default: 10. */
  readonly auditWebhookBatchThrottleQPS?: number | undefined;
  /** The most batches at once, after a pause. Only in batch mode. Default: 15. */
  readonly auditWebhookBatchThrottleBurst?: number | undefined;
  /** Whether large events lose their bodies, and large batches are split. Default: false. */
  readonly auditWebhookTruncateEnabled?: boolean | undefined;
  /** The most bytes of a batch. Default: 10 MiB. */
  readonly auditWebhookTruncateMaxBatchSize?: number | undefined;
  /** The most bytes of an event. A larger one loses its bodies, or is dropped. Default: 100 KiB. */
  readonly auditWebhookTruncateMaxEventSize?: number | undefined;
  /** The API version of events. Default: `audit.k8s.io/v1`. */
  readonly auditWebhookVersion?: string | undefined;

  // Features

  /** Whether FlowSchemas and PriorityLevelConfigurations limit requests. Default: true. Otherwise two plain limits do. */
  readonly priorityAndFairness?: boolean | undefined;
  /**
   * Worker threads run writes whose body, or the object that they change, has at least this many bytes. Default: 64 KiB. With
   * Infinity, all requests run on the event loop, and requests that would block it are rejected.
   */
  readonly workerThreshold?: number | undefined;

  // Authentication

  /**
   * Whether requests without credentials are served as system:anonymous. Default: true. Without an `authorizer`, which could
   * restrict them, they can only get health (/healthz, /livez, /readyz) and /version; everything else is a 401.
   */
  readonly anonymousAuth?: boolean | undefined;
  /** File with an AuthenticationConfiguration: issuers of tokens, and who may be anonymous. Read again when it changes. */
  readonly authenticationConfig?: string | undefined;
  /** Kubeconfig file of a webhook that knows the users of tokens. Default: none. */
  readonly authenticationTokenWebhookConfigFile?: string | undefined;
  /** The version of TokenReview to send to it. Default: v1beta1. */
  readonly authenticationTokenWebhookVersion?: string | undefined;
  /** Milliseconds for which its answers, or those of a delegate, are remembered. Default: 120,000, or 10,000. */
  readonly authenticationTokenWebhookCacheTtl?: number | undefined;
  /** PEM file of CAs for client certificates, in addition to the server's own. */
  readonly clientCaFile?: string | undefined;
  /** An OpenID Connect issuer, whose ID tokens for `oidcClientId` are accepted. Default: none. */
  readonly oidcIssuerUrl?: string | undefined;
  /** The audience that tokens of the issuer must be for. */
  readonly oidcClientId?: string | undefined;
  /** The claim that names users. Default: sub. */
  readonly oidcUsernameClaim?: string | undefined;
  /** What user names begin with; `-` for nothing. Default: the issuer and #, except for the claim email. */
  readonly oidcUsernamePrefix?: string | undefined;
  /** The claim with the groups of users. Default: users have none. */
  readonly oidcGroupsClaim?: string | undefined;
  /** What names of groups begin with. Default: nothing. */
  readonly oidcGroupsPrefix?: string | undefined;
  /** PEM file of the CAs of the issuer. Default: the system's. */
  readonly oidcCaFile?: string | undefined;
  /** Claims that tokens must have, as `name=value`. */
  readonly oidcRequiredClaims?: readonly string[] | undefined;
  /** The algorithms that the issuer may sign with. Default: RS256. */
  readonly oidcSigningAlgs?: readonly string[] | undefined;
  /** Whether Secrets of type bootstrap.kubernetes.io/token in kube-system are tokens. Default: false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined;
  /** PEM file of CAs for the certificates of front proxies, which say in headers whose request they pass on. Default: none. */
  readonly requestHeaderClientCaFile?: string | undefined;
  /** Common names that the certificates of front proxies may have. Default: any. */
  readonly requestHeaderAllowedNames?: readonly string[] | undefined;
  /** The headers with which front proxies name users, their uids and groups, and the prefixes of those for extra. */
  readonly requestHeaderUsernameHeaders?: readonly string[] | undefined;
  /** Headers for the uid of the user, as X-Remote-Uid. */
  readonly requestHeaderUidHeaders?: readonly string[] | undefined;
  /** Headers for the groups of the user, as X-Remote-Group. */
  readonly requestHeaderGroupHeaders?: readonly string[] | undefined;
  /** Prefixes of the headers for extra of the user, as X-Remote-Extra-. */
  readonly requestHeaderExtraHeadersPrefix?: readonly string[] | undefined;
  /** PEM file of the key that signs tokens of service accounts. Default: sa.key in `certDir`, which is created. */
  readonly serviceAccountSigningKeyFile?: string | undefined;
  /** PEM files of further keys that tokens of service accounts may be signed with. */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined;
  /** The issuers whose tokens are accepted; the first signs. Default: https://kubernetes.default.svc.cluster.local. */
  readonly serviceAccountIssuers?: readonly string[] | undefined;
  /** The audiences of this server, one of which tokens must be for. Default: `serviceAccountIssuers`. */
  readonly apiAudiences?: readonly string[] | undefined;
  /** The address of the JSON Web Key Set in the discovery document. Default: that of this server. */
  readonly serviceAccountJwksUri?: string | undefined;
  /** The longest validity of a token in milliseconds, at least an hour; 0 for no limit. Default: 0. */
  readonly serviceAccountMaxTokenExpiration?: number | undefined;
  /** Whether tokens that the kubelet asks for are valid for a year, with a warning after an hour. Default: true. */
  readonly serviceAccountExtendTokenExpiration?: boolean | undefined;
  /** Whether Secrets with tokens, and their service accounts, must exist. Default: true. */
  readonly serviceAccountLookup?: boolean | undefined;
  /** CSV file of static tokens. Default: none. */
  readonly tokenAuthFile?: string | undefined;

  // Authorization

  /**
   * AlwaysAllow, AlwaysDeny, Node, RBAC and Webhook, in the order in which they are asked. Default: RBAC. With AlwaysAllow, every
   * user is allowed everything, and requests without credentials get only health and /version.
   */
  readonly authorizationMode?: readonly string[] | undefined;
  /** Path of an AuthorizationConfiguration, in place of the options above. It is read again when it changes. */
  readonly authorizationConfig?: string | undefined;
  /** Path of the kubeconfig of the mode Webhook. */
  readonly authorizationWebhookConfigFile?: string | undefined;
  /** The version of SubjectAccessReview that is sent. Default: v1beta1. */
  readonly authorizationWebhookVersion?: 'v1' | 'v1beta1' | undefined;
  /** Milliseconds for which permissions are cached. Default: five minutes; ten seconds for those of a delegate. */
  readonly authorizationWebhookCacheAuthorizedTTL?: number | undefined;
  /** Milliseconds for which refusals are cached. Default: 30 s; ten seconds for those of a delegate. */
  readonly authorizationWebhookCacheUnauthorizedTTL?: number | undefined;
  /** Decides in place of the modes. */
  readonly authorizer?: Authorizer | undefined;

  // Delegated authentication and authorization

  /**
   * Kubeconfig file for TokenReviews, and for the ConfigMap with the CAs of clients and front proxies; "" for the pod's service
   * account. Default: this server decides by itself.
   */
  readonly authenticationKubeconfig?: string | undefined;
  /** Whether CAs that are not set are not looked up at the delegate. Default: false. */
  readonly authenticationSkipLookup?: boolean | undefined;
  /** Whether the server starts if they cannot be looked up. Default: false. */
  readonly authenticationTolerateLookupFailure?: boolean | undefined;
  /** Kubeconfig file for SubjectAccessReviews; "" for the pod's service account. Default: this server decides by itself. */
  readonly authorizationKubeconfig?: string | undefined;
  /** Paths that everybody may request; `*` at the end for all that begin so. Default: /healthz, /readyz, /livez. */
  readonly authorizationAlwaysAllowPaths?: readonly string[] | undefined;
  /** Kubeconfig file for other objects of the delegate: its namespaces. Default: the pod's service account. */
  readonly kubeconfig?: string | undefined;

  // Misc

  /**
   * The range of cluster IPs, or two ranges of different families separated by a comma. The first is that of the service
   * `kubernetes`. Default: `10.96.0.0/12,fd00:10:96::/112`.
   */
  readonly serviceClusterIpRange?: string | undefined;
  /** The range of node ports, both ends included. Default: `30000-32767`. */
  readonly serviceNodePortRange?: string | undefined;
  /** The node port of the service `kubernetes`; 0, the default, for none. */
  readonly kubernetesServiceNodePort?: number | undefined;
  /** How the endpoints of the service `kubernetes` are kept: `lease` (the default), `master-count`, or `none`. */
  readonly endpointReconcilerType?: 'lease' | 'master-count' | 'none' | undefined;
  /** The most addresses that `master-count` keeps. Default: 1. */
  readonly apiserverCount?: number | undefined;
  /** PEM file of what signs the certificates of kubelets. Read again when it changes. Default: nobody verifies them. */
  readonly kubeletCertificateAuthority?: string | undefined;
  /** PEM files of the client certificate for kubelets, and of its key. Read again when they change. Default: none. */
  readonly kubeletClientCertificate?: string | undefined;
  /** PEM file of its key. */
  readonly kubeletClientKey?: string | undefined;
  /** The port of kubelets whose nodes name none. Default: 10250. */
  readonly kubeletPort?: number | undefined;
  /**
   * The types of addresses of nodes, the best first. Default: `Hostname`, `InternalDNS`, `InternalIP`, `ExternalDNS`,
   * `ExternalIP`.
   */
  readonly kubeletPreferredAddressTypes?: readonly string[] | undefined;
  /** Milliseconds until a connection to a kubelet must be there. Default: 30,000. */
  readonly kubeletTimeout?: number | undefined;

  // Leader election

  /** Whether only the holder of the Lease `kube-controller-manager` runs the controllers. Default: true. */
  readonly leaderElect?: boolean | undefined;
  /** Milliseconds that others wait after the leader's last renewal before they take over. Default: 15 s. */
  readonly leaderElectLeaseDuration?: number | undefined;
  /** Milliseconds for which the leader tries to renew its lease before it stops its controllers. Default: 10 s. */
  readonly leaderElectRenewDeadline?: number | undefined;
  /** Milliseconds between two tries. Default: 2 s. */
  readonly leaderElectRetryPeriod?: number | undefined;

  // CSR signing controller

  /** PEM file of the CA for all signers, and of its key. */
  readonly clusterSigningCertFile?: string | undefined;
  /** PEM file of the key of `clusterSigningCertFile`. */
  readonly clusterSigningKeyFile?: string | undefined;
  /** Milliseconds for which certificates are valid; requests may ask for less. Default: a year of 365 days. */
  readonly clusterSigningDuration?: number | undefined;
  /** The same for one signer. If any is set, the others do not sign. */
  readonly clusterSigningKubeletServingCertFile?: string | undefined;
  /** PEM file of its key. */
  readonly clusterSigningKubeletServingKeyFile?: string | undefined;
  /** PEM file of the CA for kubernetes.io/kube-apiserver-client-kubelet, likewise. */
  readonly clusterSigningKubeletClientCertFile?: string | undefined;
  /** PEM file of its key. */
  readonly clusterSigningKubeletClientKeyFile?: string | undefined;
  /** PEM file of the CA for kubernetes.io/kube-apiserver-client, likewise. */
  readonly clusterSigningKubeApiserverClientCertFile?: string | undefined;
  /** PEM file of its key. */
  readonly clusterSigningKubeApiserverClientKeyFile?: string | undefined;
  /** PEM file of the CA for kubernetes.io/legacy-unknown, likewise. */
  readonly clusterSigningLegacyUnknownCertFile?: string | undefined;
  /** PEM file of its key. */
  readonly clusterSigningLegacyUnknownKeyFile?: string | undefined;

  // Admission

  /** Names of plugins to turn on besides those that are on by default. Default: none. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined;
  /** Names of plugins to turn off. Default: none. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined;
  /** Path of an AdmissionConfiguration with the configurations of plugins. Default: none. */
  readonly admissionControlConfigFile?: string | undefined;
  /** For how many seconds pods that do not say so stay on a node that is not ready. Default: 300. */
  readonly defaultNotReadyTolerationSeconds?: number | undefined;
  /** And on one that cannot be reached. Default: 300. */
  readonly defaultUnreachableTolerationSeconds?: number | undefined;

  // API enablement

  /** The Kubernetes release whose groups these are, for example `1.33`. Default: the newest that is served in full. */
  readonly kubernetes?: string | undefined;
  /** For example `apps/v1=false`, `api/beta=false`. */
  readonly runtimeConfig?: readonly string[] | undefined;
  /**
   * Kubernetes' own groups: all of them (true, the default), only those of a generic control plane (false: namespaces, events,
   * access control, custom resources, flow control, leases), or the generated groups of another release.
   */
  readonly builtin?: boolean | ApiGroup | undefined;
  /** Further groups. Default: none. */
  readonly groups?: readonly ApiGroup[] | undefined;

  // Aggregation

  /** Whether responses of other servers that redirect become a 502. Default: true. */
  readonly aggregatorRejectForwardingRedirect?: boolean | undefined;
  /** Whether requests go to an endpoint of the service, rather than to its cluster IP. Default: false. */
  readonly enableAggregatorRouting?: boolean | undefined;
  /**
   * PEM files of the client certificate with which the server shows other servers that it may say whose requests it passes on,
   * and of its key. Read again when they change. Default: none.
   */
  readonly proxyClientCertFile?: string | undefined;
  /** PEM file of its key. */
  readonly proxyClientKeyFile?: string | undefined;

  // Simulation

  /**
   * Controllers, a scheduler and nodes that exist in the API only make workloads move as in a cluster. `true` is the same as
   * `{}`. Default: false.
   */
  readonly simulate?: boolean | SimulationOptions | undefined;

  // Testing

  /**
   * Objects, and paths of files and folders with objects, which the server has before it is ready. Default: none.
   * docs/fixtures.md says how they are written.
   */
  readonly fixtures?: FixtureSources | undefined;
  /**
   * Path of a file that `saveSnapshot` or `kubeloom snapshot save` wrote. The server begins with exactly its objects, in an empty
   * store, before fixtures are written. Default: none.
   */
  readonly snapshot?: string | undefined;
  /**
   * Whether the group testing.kubeloom.dev is served, by which clients in the group system:masters, and nobody else, steer the
   * server as tests do in its process. Default: false. Never for a server that matters.
   */
  readonly testControls?: boolean | undefined;
  /**
   * `manual` stands still until `clock.advance`, from 2026-01-01T00:00:00Z on. Everything that the server does by time follows
   * it, deadlines of requests included; only waiting for other programs does not. Default: the system's, or `manual` with a seed.
   */
  readonly clock?: 'manual' | Clock | undefined;
  /**
   * An integer that decides all that is left to chance: uids, generated names, addresses, jitter, the server's own certificates
   * and keys. Servers with one seed that are asked for the same have the same objects, at the same revisions. Everybody knows
   * these keys, so it is for tests only. Default: the system's randomness.
   */
  readonly seed?: number | undefined;
  /**
   * How many of the last requests RunningServer.requests knows, besides those that run; about half a KiB each. Default: 10,000
   * with testControls; otherwise 0, no request is recorded.
   */
  readonly requestLog?: number | undefined;

  // Recording

  /**
   * The path of a file that all requests, changes and watch events are recorded in; it is replaced if it exists. Only its user
   * can read it: it has every object, Secrets too. Default: nothing is recorded.
   */
  readonly record?: string | undefined;
  /**
   * Begin with a state of a recording, in memory, and perhaps let happen what it has after that. The server writes nothing of its
   * own then, and runs no controllers but those that `controllers` names. Default: the store is as it is.
   */
  readonly replay?: ReplaySpec | undefined | undefined;

  // Logs

  /** The level of the JSON log on stderr. Default: silent. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | undefined;

  // Programs

  /** What exec, attach, portforward and log of pods do. Default: their kubelets are asked, if there are options for that. */
  readonly pods?: PodHandlers | undefined;
  /**
   * Opens the connections of proxies to pods, services and nodes, and those to kubelets, as for a network that is not the host's.
   * Default: TCP.
   */
  readonly dial?: Dial | undefined;
  /** The values of the command-line flags by name, for /flagz. Default: none. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
}
