import type { TokenGenerator } from '../authentication/service-account/token-generator.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ProxyTransports } from '../client/proxy/transport.ts';
import type { ApiContext } from '../http/context.ts';
import type { RequestMetrics } from '../http/metrics/request-metrics.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Clock } from '../machinery/clock.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { ResourceRegistry } from '../resources/registry.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { NodeBackend } from '../streaming/node-backend.ts';

/** What the handlers of all resources share. (apiserver pkg/endpoints/handlers/rest.go) */
export interface RequestScope {
  readonly registry: ResourceRegistry;
  readonly stores: ResourceStores;
  readonly clock: Clock;
  readonly authorizer: Authorizer;
  /**
   * The shortest time, in seconds, that a watch without timeoutSeconds lasts; it lasts at most twice as long.
   * (--min-request-timeout)
   */
  readonly minRequestTimeout: number;
  /** Allows deleting objects whose stored bytes cannot be read. (AllowUnsafeMalformedObjectDeletion) Default: false. */
  readonly unsafeDeletion?: boolean;
  /** Whether no revision is compacted, so that a get may ask for one exactly. Default: false. */
  readonly keepsHistory?: boolean;
  /** Signs tokens of service accounts; absent without a signing key. */
  readonly issueToken?: TokenGenerator;
  /** Run requests that would block the event loop. Default: all requests run on the event loop. */
  readonly workers?: RequestWorkers | undefined;
  /** Absent in worker threads. */
  readonly metrics?: RequestMetrics;
  /** Reaches what runs on nodes. Default: no node can be reached. */
  readonly nodes?: NodeBackend | undefined;
  /** How proxies reach pods and services. Absent in worker threads, which run no such requests. */
  readonly proxyTransports?: ProxyTransports;
}

/** A request for a resource that exists, with everything its verb needs. */
export interface ResourceRequest {
  readonly ctx: ApiContext;
  readonly scope: RequestScope;
  readonly info: RequestInfo;
  readonly definition: ResourceDefinition;
  readonly store: ResourceStore;
  /** "" for cluster-scoped resources, and for all namespaces. */
  readonly namespace: string;
  /** "" for collections. */
  readonly name: string;
}

/** Handles one verb. Returns a promise only if it has to wait. */
export type VerbHandler = (request: ResourceRequest) => void | Promise<void>;

/** Threads that work out large writes the way the event loop would. */
export interface RequestWorkers {
  /** The size in bytes, of a body or of the object to change, from which workers handle a request. */
  readonly threshold: number;
  /** False for resources that the workers do not know. */
  serves(definition: ResourceDefinition): boolean;
  /** Responds to the request. @throws StatusError as the verb does; 429 and 504 if it has to wait too long */
  run(request: ResourceRequest, body: Uint8Array): Promise<void>;
}
