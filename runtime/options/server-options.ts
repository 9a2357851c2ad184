// Written by `make generate` from the rows in runtime/options. Do not edit.

import type { Authorizer } from '../authorization/authorizer.ts';
import type { Dial } from '../client/transport/dial.ts';
import type { ApiGroup } from '../machinery/api-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { FixtureSources } from './fixture-sources.ts';
import type { PodOptions } from './pod-programs.ts';
import type { ReplaySpec } from './replay-spec.ts';
import type { SimulationOptions } from './simulated-cluster.ts';

export { OptionError } from '../machinery/options/option-error.ts';

/** The options of a server. All have defaults: `startServer()` runs a server in memory on a free port of 127.0.0.1. */
export interface ServerOptions {
  // Generic

  /**
   * The server's address for others in the cluster. Default: `bindAddress`, or if it is a loopback or unspecified address, the
   * first address of the host's network interfaces.
   */
  readonly advertiseAddress?: string | undefined;
  /** The host in this server's URLs, for example in OpenID discovery. Default: `advertiseAddress`, if set. */
  readonly externalHostname?: string | undefined;
  /** The timeout of requests that are not long-running, in milliseconds. Default: one minute. */
  readonly requestTimeout?: number | undefined;
  /** Seconds that watches without timeoutSeconds last at least; they last at most twice as long. Default: 1,800. */
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
  /** Milliseconds for running requests to finish when the server stops. Default: 10 s. */
  readonly drainTimeout?: number | undefined;
  /** Whether new requests to a draining server get a 429 with Retry-After. Default: false, new connections are refused. */
  readonly shutdownSendRetryAfter?: boolean | undefined;
  /** The share of HTTP/2 requests whose connection ends with a GOAWAY, up to 0.02. Default: 0. */
  readonly goawayChance?: number | undefined;
  /** Regular expressions of origins whose pages may use the API. Default: none. */
  readonly corsAllowedOrigins?: readonly string[] | undefined;
  /** Directives of Strict-Transport-Security: `max-age=31536000`, `includeSubDomains`, `preload`. Default: no header. */
  readonly strictTransportSecurityDirectives?: readonly string[] | undefined;
  /** For example `APIResponseCompression=false`. */
  readonly featureGates?: readonly string[] | undefined;
  /** Path of the admin kubeconfig, which is written when the server is ready. Default: it is not written. */
  readonly writeKubeconfig?: string | undefined;
  /**
   * For example `*`, `-garbage-collector-controller`, `serviceaccount-token-controller`. Default: `*`, the controllers that
   * `kubeloom serve --help` lists as on by default, and with `simulate` all except serviceaccount-token-controller.
   */
  readonly controllers?: readonly string[] | undefined;

  // Storage

  /** The storage engine. Default: etcd if `etcdServers` is set, otherwise memory. */
  readonly storage?: 'memory' | 'lmdb' | 'etcd' | undefined;
  /** The folder of the LMDB store. It is created if it does not exist. Default: `data`. */
  readonly dataDir?: string | undefined;
  /** URLs of the members of one cluster, for example `https://10.0.0.1:2379`. */
  readonly etcdServers?: readonly string[] | undefined;
  /** Built-in resources in other clusters, for example `/events#http://10.0.0.2:2379;http://10.0.0.3:2379`. */
  readonly etcdServersOverrides?: readonly string[] | undefined;
  /** The prefix of all keys. Default: `/registry`. */
  readonly etcdPrefix?: string | undefined;
  /** A file with the CAs of etcd's certificates. Default: the system's CAs. */
  readonly etcdCafile?: string | undefined;
  /** The client certificate for etcd. It is read for every connection. Default: none. */
  readonly etcdCertfile?: string | undefined;
  /** The key of the client certificate. */
  readonly etcdKeyfile?: string | undefined;
  /** Milliseconds between two compactions; 0 disables compaction by this server. Default: five minutes. */
  readonly etcdCompactionInterval?: number | undefined;
  /**
   * 0 disables metrics of the number of objects. Other values have no effect: objects are counted at a scrape. Default: a minute.
   */
  readonly etcdCountMetricPollPeriod?: number | undefined;
  /** No effect: its metric has been hidden since 1.28. Default: 30 seconds. */
  readonly etcdDbMetricPollInterval?: number | undefined;
  /** Milliseconds for the check `etcd`. Default: 2,000. */
  readonly etcdHealthcheckTimeout?: number | undefined;
  /** Milliseconds for the check `etcd-readiness`. Default: 2,000. */
  readonly etcdReadycheckTimeout?: number | undefined;
  /** Seconds for which new expiring objects share a lease. Default: 60. */
  readonly leaseReuseDurationSeconds?: number | undefined;
  /** The path of an EncryptionConfiguration. Default: stored objects are not encrypted. */
  readonly encryptionProviderConfig?: string | undefined;
  /** Reads the encryption configuration again when it changes. Default: false. */
  readonly encryptionProviderConfigAutomaticReload?: boolean | undefined;
  /**
   * The format of built-in kinds in etcd: application/json, application/yaml, or application/vnd.kubernetes.protobuf (the
   * default). Other engines always store JSON.
   */
  readonly storageMediaType?: string | undefined;
  /** Runs LMDB without fsync: a crash may lose the last writes. Default: false. */
  readonly unsafeNoFsync?: boolean | undefined;
  /** Milliseconds after which an Event that is not written again is deleted. Default: an hour. */
  readonly eventTTL?: number | undefined;
  /** Milliseconds for which history stays readable, for watches and continue tokens. Default: five minutes. */
  readonly compactionWindow?: number | undefined;
  /**
   * `all` disables compaction by the server. Every revision can be listed and watched, and gets may have
   * resourceVersionMatch=Exact. All changes stay in memory. Default: `window`, which keeps `compactionWindow`.
   */
  readonly history?: 'window' | 'all' | undefined;

  // Secure serving

  /** The address to bind. Default: 127.0.0.1. */
  readonly bindAddress?: string | undefined;
  /** The port to bind. Default: 0, any free port. */
  readonly port?: number | undefined;
  /**
   * The folder of the certificates, created on the first start, and of the token signing key, created on first use. Default: in
   * memory only.
   */
  readonly certDir?: string | undefined;
  /**
   * PEM files of the serving certificate, with its chain, and of its key. Read again when they change. Default: the server's own.
   */
  readonly tlsCertFile?: string | undefined;
  /** PEM file of the private key of `tlsCertFile`. */
  readonly tlsPrivateKeyFile?: string | undefined;
  /** VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13. Default: VersionTLS12. */
  readonly tlsMinVersion?: string | undefined;
  /** Go's names of cipher suites for TLS 1.2. Default: Go's default suites. */
  readonly tlsCipherSuites?: readonly string[] | undefined;
  /** Certificates by requested name: `foo.crt,foo.key` or `foo.crt,foo.key:*.foo.com,foo.com`. Default: none. */
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
  /** Days for which rotated files are kept; 0, the default, for ever. */
  readonly auditLogMaxAge?: number | undefined;
  /** The most rotated files; 0, the default, for no limit. */
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
  /** A kubeconfig with the address of the webhook. Default: no webhook. */
  readonly auditWebhookConfigFile?: string | undefined;
  /** Milliseconds before the first retry of a failed call. Default: 10,000. */
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

  /** Whether FlowSchemas and PriorityLevelConfigurations limit requests. If not, two plain limits do. Default: true. */
  readonly priorityAndFairness?: boolean | undefined;
  /**
   * The least bytes of a body, or of the object that it changes, for which a write runs on a worker thread. Default: 64 KiB. With
   * Infinity, all requests run on the event loop, and requests that would block it are rejected.
   */
  readonly workerThreshold?: number | undefined;

  // Authentication

  /**
   * Whether requests without credentials are served as system:anonymous. Default: true. Without an `authorizer` to restrict them,
   * they can only get health (/healthz, /livez, /readyz) and /version, and a 401 for everything else.
   */
  readonly anonymousAuth?: boolean | undefined;
  /** File with an AuthenticationConfiguration: issuers of tokens, and anonymous access. Read again when it changes. */
  readonly authenticationConfig?: string | undefined;
  /** Kubeconfig file of a webhook that authenticates tokens. Default: none. */
  readonly authenticationTokenWebhookConfigFile?: string | undefined;
  /** The version of TokenReview for the webhook. Default: v1beta1. */
  readonly authenticationTokenWebhookVersion?: string | undefined;
  /** Milliseconds for which responses of the webhook or a delegate are cached. Default: 120,000, or 10,000 for a delegate. */
  readonly authenticationTokenWebhookCacheTtl?: number | undefined;
  /** PEM file of CAs for client certificates, in addition to the server's own. */
  readonly clientCaFile?: string | undefined;
  /** An OpenID Connect issuer whose ID tokens for `oidcClientId` are accepted. Default: none. */
  readonly oidcIssuerUrl?: string | undefined;
  /** The audience that tokens of the issuer must be for. */
  readonly oidcClientId?: string | undefined;
  /** The claim with the user name. Default: sub. */
  readonly oidcUsernameClaim?: string | undefined;
  /** The prefix of user names; `-` for none. Default: the issuer and #, or none for the claim email. */
  readonly oidcUsernamePrefix?: string | undefined;
  /** The claim with the user's groups. Default: no groups. */
  readonly oidcGroupsClaim?: string | undefined;
  /** The prefix of group names. Default: none. */
  readonly oidcGroupsPrefix?: string | undefined;
  /** PEM file of the CAs of the issuer. Default: the system's. */
  readonly oidcCaFile?: string | undefined;
  /** Required claims of tokens, as `name=value`. */
  readonly oidcRequiredClaims?: readonly string[] | undefined;
  /** The algorithms that the issuer may sign with. Default: RS256. */
  readonly oidcSigningAlgs?: readonly string[] | undefined;
  /** Whether Secrets of type bootstrap.kubernetes.io/token in kube-system authenticate as tokens. Default: false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined;
  /** PEM file of CAs for front proxies, which name the users of requests in headers. Default: none. */
  readonly requestHeaderClientCaFile?: string | undefined;
  /** Common names that the certificates of front proxies may have. Default: any. */
  readonly requestHeaderAllowedNames?: readonly string[] | undefined;
  /** The headers with which front proxies name users, uids and groups, and the prefixes of their headers for extra. */
  readonly requestHeaderUsernameHeaders?: readonly string[] | undefined;
  /** Headers for the uid of the user, as X-Remote-Uid. */
  readonly requestHeaderUidHeaders?: readonly string[] | undefined;
  /** Headers for the groups of the user, as X-Remote-Group. */
  readonly requestHeaderGroupHeaders?: readonly string[] | undefined;
  /** Prefixes of the headers for extra of the user, as X-Remote-Extra-. */
  readonly requestHeaderExtraHeadersPrefix?: readonly string[] | undefined;
  /** PEM file of the key that signs service account tokens. Default: sa.key in `certDir`, created on first use. */
  readonly serviceAccountSigningKeyFile?: string | undefined;
  /** PEM files of additional keys that verify service account tokens. */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined;
  /** Issuers of accepted tokens; the first one signs. Default: https://kubernetes.default.svc.cluster.local. */
  readonly serviceAccountIssuers?: readonly string[] | undefined;
  /** The audiences of this server. A token must have one of them. Default: `serviceAccountIssuers`. */
  readonly apiAudiences?: readonly string[] | undefined;
  /** The address of the JSON Web Key Set in the discovery document. Default: this server's address. */
  readonly serviceAccountJwksUri?: string | undefined;
  /** The longest validity of a token in milliseconds, at least an hour; 0 for no limit. Default: 0. */
  readonly serviceAccountMaxTokenExpiration?: number | undefined;
  /** Whether tokens for the kubelet are valid for a year, with a warning after an hour. Default: true. */
  readonly serviceAccountExtendTokenExpiration?: boolean | undefined;
  /** Whether the Secrets and service accounts of tokens must exist. Default: true. */
  readonly serviceAccountLookup?: boolean | undefined;
  /** CSV file of static tokens. Default: none. */
  readonly tokenAuthFile?: string | undefined;

  // Authorization

  /**
   * AlwaysAllow, AlwaysDeny, Node, RBAC and Webhook, in the order of their decisions. Default: RBAC. With AlwaysAllow, every user
   * may do everything, but requests without credentials only get health and /version.
   */
  readonly authorizationMode?: readonly string[] | undefined;
  /** Path of an AuthorizationConfiguration, which replaces the options above. Read again when it changes. */
  readonly authorizationConfig?: string | undefined;
  /** Path of the kubeconfig for the mode Webhook. */
  readonly authorizationWebhookConfigFile?: string | undefined;
  /** The version of SubjectAccessReview for the webhook. Default: v1beta1. */
  readonly authorizationWebhookVersion?: 'v1' | 'v1beta1' | undefined;
  /** Milliseconds for which permissions are cached. Default: 300,000, or 10,000 for a delegate. */
  readonly authorizationWebhookCacheAuthorizedTTL?: number | undefined;
  /** Milliseconds for which refusals are cached. Default: 30,000, or 10,000 for a delegate. */
  readonly authorizationWebhookCacheUnauthorizedTTL?: number | undefined;
  /** An authorizer that replaces the modes. */
  readonly authorizer?: Authorizer | undefined;

  // Delegated authentication and authorization

  /**
   * Kubeconfig file for TokenReviews, and for the ConfigMap with the CAs of clients and front proxies; "" for the pod's service
   * account. Default: this server authenticates by itself.
   */
  readonly authenticationKubeconfig?: string | undefined;
  /** Skips looking up unset CAs at the delegate. Default: false. */
  readonly authenticationSkipLookup?: boolean | undefined;
  /** Starts the server even if CAs cannot be looked up. Default: false. */
  readonly authenticationTolerateLookupFailure?: boolean | undefined;
  /** Kubeconfig file for SubjectAccessReviews; "" for the pod's service account. Default: this server authorizes by itself. */
  readonly authorizationKubeconfig?: string | undefined;
  /** Paths that everybody may request; `*` at the end matches any rest. Default: /healthz, /readyz, /livez. */
  readonly authorizationAlwaysAllowPaths?: readonly string[] | undefined;
  /** Kubeconfig file for namespaces and other objects of the delegate. Default: the pod's service account. */
  readonly kubeconfig?: string | undefined;

  // Misc

  /**
   * The range of cluster IPs, or two ranges of different families separated by a comma. The first range has the service
   * `kubernetes`. Default: `10.96.0.0/12,fd00:10:96::/112`.
   */
  readonly serviceClusterIpRange?: string | undefined;
  /** The range of node ports, with both ends. Default: `30000-32767`. */
  readonly serviceNodePortRange?: string | undefined;
  /** The node port of the service `kubernetes`; 0, the default, for none. */
  readonly kubernetesServiceNodePort?: number | undefined;
  /** The way to keep the endpoints of the service `kubernetes`: `lease` (the default), `master-count`, or `none`. */
  readonly endpointReconcilerType?: 'lease' | 'master-count' | 'none' | undefined;
  /** The most addresses that `master-count` keeps. Default: 1. */
  readonly apiserverCount?: number | undefined;
  /** PEM file of the CA of kubelets' certificates. Read again when it changes. Default: certificates are not verified. */
  readonly kubeletCertificateAuthority?: string | undefined;
  /** PEM files of the client certificate for kubelets, and of its key. Read again when they change. Default: none. */
  readonly kubeletClientCertificate?: string | undefined;
  /** PEM file of the key of `kubeletClientCertificate`. */
  readonly kubeletClientKey?: string | undefined;
  /** The port of kubelets whose node states none. Default: 10250. */
  readonly kubeletPort?: number | undefined;
  /**
   * The types of addresses of nodes, the best first. Default: `Hostname`, `InternalDNS`, `InternalIP`, `ExternalDNS`,
   * `ExternalIP`.
   */
  readonly kubeletPreferredAddressTypes?: readonly string[] | undefined;
  /** Milliseconds to connect to a kubelet. Default: 30,000. */
  readonly kubeletTimeout?: number | undefined;

  // Leader election

  /** Whether only the holder of the Lease `kube-controller-manager` runs the controllers. Default: true. */
  readonly leaderElect?: boolean | undefined;
  /** Milliseconds after the leader's last renewal until another server takes over. Default: 15 s. */
  readonly leaderElectLeaseDuration?: number | undefined;
  /** Milliseconds for which the leader retries a renewal before it stops its controllers. Default: 10 s. */
  readonly leaderElectRenewDeadline?: number | undefined;
  /** Milliseconds between two attempts. Default: 2 s. */
  readonly leaderElectRetryPeriod?: number | undefined;

  // CSR signing controller

  /** PEM files of the CA for all signers, and of its key. */
  readonly clusterSigningCertFile?: string | undefined;
  /** PEM file of the key of `clusterSigningCertFile`. */
  readonly clusterSigningKeyFile?: string | undefined;
  /** Milliseconds for which certificates are valid. Requests may ask for less. Default: 365 days. */
  readonly clusterSigningDuration?: number | undefined;
  /** PEM files for one signer. If any is set, signers without files do not sign. */
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

  /** Plugins to enable in addition to the default ones. Default: none. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined;
  /** Plugins to disable. Default: none. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined;
  /** Path of an AdmissionConfiguration with the configurations of plugins. Default: none. */
  readonly admissionControlConfigFile?: string | undefined;
  /** Seconds for which pods without such a toleration tolerate a node that is not ready. Default: 300. */
  readonly defaultNotReadyTolerationSeconds?: number | undefined;
  /** Seconds for which pods without such a toleration tolerate an unreachable node. Default: 300. */
  readonly defaultUnreachableTolerationSeconds?: number | undefined;

  // API enablement

  /** The Kubernetes release of these groups, for example `1.33`. Default: the newest fully served release. */
  readonly kubernetes?: string | undefined;
  /** For example `apps/v1=false`, `api/beta=false`. */
  readonly runtimeConfig?: readonly string[] | undefined;
  /**
   * Kubernetes' own groups: all (true, the default), the groups of a generic control plane (false: namespaces, events, access
   * control, custom resources, flow control, leases), or the generated groups of another release.
   */
  readonly builtin?: boolean | ApiGroup | undefined;
  /** Additional groups. Default: none. */
  readonly groups?: readonly ApiGroup[] | undefined;

  // Aggregation

  /** Whether redirects by aggregated servers become a 502. Default: true. */
  readonly aggregatorRejectForwardingRedirect?: boolean | undefined;
  /** Whether requests go to an endpoint of the service instead of its cluster IP. Default: false. */
  readonly enableAggregatorRouting?: boolean | undefined;
  /**
   * PEM files of the client certificate and key that aggregated servers trust to name users. Read again when they change.
   * Default: none.
   */
  readonly proxyClientCertFile?: string | undefined;
  /** PEM file of its key. */
  readonly proxyClientKeyFile?: string | undefined;

  // Simulation

  /**
   * Simulates a cluster: runs controllers, a scheduler and nodes that only exist in the API, so that workloads progress. `true`
   * means `{}`. Default: false.
   */
  readonly simulate?: boolean | SimulationOptions | undefined;
  /**
   * What implements pods. Handlers of exec, attach, portforward and log; default: the simulated nodes, or kubelets if a kubelet
   * option is set. `programs`, with `simulate`: programs of this machine that run in place of images, or a file with them;
   * default: none.
   */
  readonly pods?: PodOptions | undefined;

  // Testing

  /**
   * Objects, and paths of files and folders with objects, that the server writes before it is ready; see docs/fixtures.md.
   * Default: none.
   */
  readonly fixtures?: FixtureSources | undefined;
  /**
   * Path of a file by `saveSnapshot` or `kubeloom snapshot save`. The server starts with exactly its objects, in an empty store,
   * before it writes fixtures. Default: none.
   */
  readonly snapshot?: string | undefined;
  /**
   * Serves the group testing.kubeloom.dev, with which clients in the group system:masters control the server like tests in its
   * process. Default: false. Never use it for a production server.
   */
  readonly testControls?: boolean | undefined;
  /**
   * `manual` starts at 2026-01-01T00:00:00Z and only moves by `clock.advance`. All timing of the server follows it, including
   * request deadlines, except for waiting for other programs. Default: the system's, or `manual` with a seed.
   */
  readonly clock?: 'manual' | Clock | undefined;
  /**
   * An integer that determines all random choices: uids, generated names, addresses, jitter, and the server's own certificates
   * and keys. Servers with the same seed and requests have the same objects at the same revisions. The keys are public, so use it
   * for tests only. Default: the system's randomness.
   */
  readonly seed?: number | undefined;
  /**
   * The number of finished requests that RunningServer.requests remembers, besides running ones; about half a KiB each. 0 records
   * nothing. Default: 10,000 with testControls, otherwise 0.
   */
  readonly requestLog?: number | undefined;

  // Recording

  /**
   * The path of a file for all requests, changes and watch events. An existing file is replaced. Only its user can read it,
   * because it contains all objects, including Secrets. Default: nothing is recorded.
   */
  readonly record?: string | undefined;
  /**
   * Starts in memory with a state of a recording, and optionally repeats the later writes. The server then makes no writes of its
   * own, and only runs the controllers in `controllers`. Default: no replay.
   */
  readonly replay?: ReplaySpec | undefined | undefined;

  // Page

  /**
   * Serves a page of the server at /ui, for browsers with a session. `ui.link()` returns a link that opens one. Default: false;
   * see docs/page.md.
   */
  readonly ui?: boolean | undefined;

  // Logs

  /** The level of the JSON log on stderr. Default: silent. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | undefined;

  // Programs

  /** Opens connections to pods, services, nodes and kubelets, for networks other than the host's. Default: TCP. */
  readonly dial?: Dial | undefined;
  /** The values of the command-line flags by name, for /flagz. Default: none. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
}
