import type { Authorizer } from '../authorization/authorizer.ts';
import type { ApiGroup } from '../machinery/api-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { LogLevel } from '../observe/logger.ts';

/** An option or flag is invalid. The message is for the person who set it. */
export class OptionError extends Error {}

/** The options of a server. All have defaults: `startServer()` runs a server in memory on a free port of 127.0.0.1. */
export interface ServerOptions {
  /** The address to bind. Default: 127.0.0.1. */
  readonly bindAddress?: string;
  /** The port to bind. Default: 0, any free port. */
  readonly port?: number;
  /** Default: memory. */
  readonly storage?: 'memory' | 'lmdb';
  /** The folder of the LMDB store. It is created if it does not exist. Default: `data`. */
  readonly dataDir?: string;
  /** LMDB without fsync: a crash may lose the last writes. Default: false. */
  readonly unsafeNoFsync?: boolean;
  /** Milliseconds for which history stays readable, for watches and continue tokens. Default: five minutes. */
  readonly compactionWindow?: number;
  /**
   * The folder of the certificates, which are created on the first start, and of the signing key for tokens, which is created
   * when it is first needed. Default: certificates and key exist only in memory.
   */
  readonly certDir?: string;
  /** PEM files of the serving certificate, with its chain, and its key. Default: the server's own. */
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** PEM file of CAs for client certificates, in addition to the server's own. */
  readonly clientCaFile?: string;
  /** CSV file of static tokens. Default: none. */
  readonly tokenAuthFile?: string;
  /**
   * Whether requests without credentials are served as system:anonymous. Default: true. Without an `authorizer`, which could
   * restrict them, they can only get health (/healthz, /livez, /readyz) and /version; everything else is a 401.
   */
  readonly anonymousAuth?: boolean;
  /** Default: every user is allowed everything. */
  readonly authorizer?: Authorizer;
  /**
   * For example `*`, `-garbage-collector-controller`, `serviceaccount-controller`. Default: `*`, which is
   * namespace-controller and garbage-collector-controller.
   */
  readonly controllers?: readonly string[];
  /** For example `APIResponseCompression=false`. */
  readonly featureGates?: readonly string[];
  /** For example `apps/v1=false`, `api/beta=false`. */
  readonly runtimeConfig?: readonly string[];
  /** Whether FlowSchemas and PriorityLevelConfigurations limit requests. Default: true. Otherwise two plain limits do. */
  readonly priorityAndFairness?: boolean;
  /** The most concurrent read requests. Default: 400. With priority and fairness, the two limits add up to the number of seats. */
  readonly maxRequestsInFlight?: number;
  /** The most concurrent mutating requests. Default: 200. */
  readonly maxMutatingRequestsInFlight?: number;
  /**
   * Worker threads run writes whose body, or the object that they change, has at least this many bytes. Default: 64 KiB.
   * With Infinity, all requests run on the event loop, and requests that would block it are rejected.
   */
  readonly workerThreshold?: number;
  /** The most watches and other long-running requests of one user; 0 for no limit. Default: 10,000. */
  readonly maxWatchesPerUser?: number;
  /** The most concurrent requests of one HTTP/2 connection. Default: 0, which means 100. */
  readonly http2MaxStreamsPerConnection?: number;
  /** The timeout of requests that are not long-running, in milliseconds. Default: one minute. */
  readonly requestTimeout?: number;
  /** The shortest time of watches without timeoutSeconds, in seconds; the longest is twice that. Default: half an hour. */
  readonly minRequestTimeout?: number;
  /** Milliseconds between the failure of /readyz and the closing of the port. Default: 0. */
  readonly shutdownDelay?: number;
  /** Milliseconds that running requests have to finish when the server stops. Default: 10 s. */
  readonly drainTimeout?: number;
  /** The level of the JSON log on stderr. Default: silent. */
  readonly logLevel?: LogLevel;
  /** Path of the admin kubeconfig, which is written when the server is ready. Default: it is not written. */
  readonly writeKubeconfig?: string;
  /**
   * Kubernetes' own groups: all of them (true, the default), only those of a generic control plane (false: namespaces,
   * events, access control, custom resources, flow control, leases), or the generated groups of another release.
   */
  readonly builtin?: boolean | ApiGroup;
  /** Further groups. Default: none. */
  readonly groups?: readonly ApiGroup[];
  readonly clock?: Clock;
  /** The values of the command-line flags by name, for /flagz. Default: none. */
  readonly flags?: Readonly<Record<string, string>>;
}
