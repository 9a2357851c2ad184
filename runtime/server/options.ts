import type { Authorizer } from '../auth/authorizer.ts';
import type { ApiGroup } from '../machinery/api-group.ts';
import type { Clock } from '../machinery/clock.ts';
import type { LogLevel } from '../observe/logger.ts';

/** An option or flag is invalid. The message is for the person who set it. */
export class OptionError extends Error {}

/** How to run a server. Everything has a default: `startServer()` is a server in memory on a free port of 127.0.0.1. */
export interface ServerOptions {
  /** Address to bind; default 127.0.0.1. */
  readonly bindAddress?: string;
  /** Port to bind; default 0: any free one. */
  readonly port?: number;
  /** Default memory. */
  readonly storage?: 'memory' | 'lmdb';
  /** Folder of the LMDB store; made when absent. Default `data`. */
  readonly dataDir?: string;
  /** LMDB without fsync: a crash may lose the last writes. Default false. */
  readonly unsafeNoFsync?: boolean;
  /** Milliseconds of history kept readable for watches and continue tokens. Default five minutes. */
  readonly compactionWindow?: number;
  /**
   * Folder of the certificates, made on the first start, and of the key of tokens, made when first needed. Default: made
   * for this run, kept in memory only.
   */
  readonly certDir?: string;
  /** Serving certificate (with its chain) and key, PEM files, in place of the server's own. */
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** PEM file of authorities for client certificates, besides the server's own. */
  readonly clientCaFile?: string;
  /** CSV file of static tokens. */
  readonly tokenAuthFile?: string;
  /**
   * Whether requests without credentials are let in as system:anonymous; default true. Without an `authorizer`, who would
   * keep them within bounds, they are answered for health (/healthz, /livez, /readyz) and /version alone, and 401 elsewhere.
   */
  readonly anonymousAuth?: boolean;
  /** Default: everybody may do everything. */
  readonly authorizer?: Authorizer;
  /**
   * As `*`, `-garbage-collector-controller`, `serviceaccount-controller`. Default `*`: namespace-controller and
   * garbage-collector-controller.
   */
  readonly controllers?: readonly string[];
  /** As `APIResponseCompression=false`. */
  readonly featureGates?: readonly string[];
  /** As `apps/v1=false`, `api/beta=false`. */
  readonly runtimeConfig?: readonly string[];
  /** Whether requests are let in by FlowSchemas and PriorityLevelConfigurations; default true. Otherwise by two plain limits. */
  readonly priorityAndFairness?: boolean;
  /** Reading requests at once; default 400. With priority and fairness both limits add up to the seats there are. */
  readonly maxRequestsInFlight?: number;
  /** Other requests at once; default 200. */
  readonly maxMutatingRequestsInFlight?: number;
  /**
   * Bytes of a body, or of the object that is changed, from which on a worker thread runs a write; default 64 KiB.
   * Infinity: everything runs on the event loop, and what would hold it for long is refused.
   */
  readonly workerThreshold?: number;
  /** Watches, and other requests without an end, that one user may have open; 0 for no limit, default 10,000. */
  readonly maxWatchesPerUser?: number;
  /** Requests that one HTTP/2 connection may have open; 0, the default, for 100. */
  readonly http2MaxStreamsPerConnection?: number;
  /** Milliseconds a request may take, watches and the like aside; default one minute. */
  readonly requestTimeout?: number;
  /** Seconds that a watch without timeoutSeconds lasts at least, and at most twice; default half an hour. */
  readonly minRequestTimeout?: number;
  /** Milliseconds between /readyz failing and the port being closed; default 0. */
  readonly shutdownDelay?: number;
  /** Milliseconds that running requests get when the server stops; default 10 s. */
  readonly drainTimeout?: number;
  /** JSON lines on stderr; default silent. */
  readonly logLevel?: LogLevel;
  /** Where the admin kubeconfig is written once the server is ready; nowhere by default. */
  readonly writeKubeconfig?: string;
  /**
   * Kubernetes' own groups: all of them (true, the default), only what a control plane needs (false: namespaces, events,
   * access control, custom resources, flow control, leases), or those of another release, as generated for it.
   */
  readonly builtin?: boolean | ApiGroup;
  /** Groups of one's own, served beside them. */
  readonly groups?: readonly ApiGroup[];
  readonly clock?: Clock;
}
