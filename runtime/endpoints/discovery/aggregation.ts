import type { ApiContext } from '../../http/context.ts';
import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { RemoteSpec } from './openapi-merge.ts';

/** A group in unaggregated discovery. The core group is "". */
export interface DiscoveryGroup {
  readonly name: string;
  /** The preferred version is first. */
  readonly versions: readonly string[];
}

/** A version that another server serves, in that server's description. */
export interface RemoteVersion {
  readonly version: string;
  /** APIResourceDiscovery objects; absent if the server did not list its resources. */
  readonly resources?: readonly JsonObject[];
  /** Stale if the server cannot be reached. */
  readonly freshness: 'Current' | 'Stale';
}

/** A group in aggregated discovery. */
export interface GroupDiscovery {
  readonly name: string;
  /** The preferred version is first. */
  readonly versions: readonly (GroupVersionCatalog | RemoteVersion)[];
}

/**
 * An aggregation layer. Adds groups of other servers to discovery, or puts them in place of this server's groups.
 * (kube-aggregator)
 */
export interface DiscoveryAggregation {
  /** The groups of /apis, in order. */
  apiGroups(): readonly DiscoveryGroup[];
  /** Returns the group for /apis/<group>; undefined if only this server knows the group. */
  apiGroup(name: string): DiscoveryGroup | undefined;
  /** All groups but the core group, in order. @param served the group-versions of this server */
  groupDiscovery(served: readonly GroupVersionCatalog[]): readonly GroupDiscovery[];
}

/** The OpenAPI documents of other servers. Nobody waits for these servers: what they said last counts. */
export interface OpenApiAggregation {
  /** Returns the URLs of remote v3 documents by path, for example `apis/metrics.k8s.io/v1beta1`. */
  documents(): ReadonlyMap<string, string>;
  /** The v3 document, as JSON, of a server that has none itself. */
  converted(path: string): { readonly hash: string; readonly bytes: Buffer } | undefined;
  /** Returns the handler that proxies a v3 document; undefined if no other server has it. */
  handlerOf(path: string): { handle(ctx: ApiContext): void | Promise<void> } | undefined;
  /** Returns the remote v2 documents, in the order in which they are merged. */
  specs(): readonly RemoteSpec[];
  /** Reports whether another server serves a group-version that this server also has. */
  isRemote(group: string, version: string): boolean;
}
