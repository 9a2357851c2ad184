import type { ApiContext } from '../../http/context.ts';
import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { RemoteSpec } from './openapi-merge.ts';

/** A group in unaggregated discovery. The core group is "". */
export interface DiscoveryGroup {
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly string[];
}

/** A version that another server serves, as it describes it. */
export interface RemoteVersion {
  readonly version: string;
  /** APIResourceDiscovery; absent if the server did not say. */
  readonly resources?: readonly JsonObject[];
  /** Stale if the server cannot be reached. */
  readonly freshness: 'Current' | 'Stale';
}

/** A group in aggregated discovery. */
export interface GroupDiscovery {
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly (GroupVersionCatalog | RemoteVersion)[];
}

/** An aggregation layer: what discovery shows besides, or in place of, the groups of this server. (kube-aggregator) */
export interface DiscoveryAggregation {
  /** The groups of /apis, in order. */
  apiGroups(): readonly DiscoveryGroup[];
  /** /apis/<group>; undefined if nothing but this server knows the group. */
  apiGroup(name: string): DiscoveryGroup | undefined;
  /** All groups but the core group, in order. @param served the group-versions of this server */
  groupDiscovery(served: readonly GroupVersionCatalog[]): readonly GroupDiscovery[];
}

/** The OpenAPI documents of other servers. Nobody waits for these servers: what they said last counts. */
export interface OpenApiAggregation {
  /** The URLs of their v3 documents by path, as `apis/metrics.k8s.io/v1beta1`. */
  documents(): ReadonlyMap<string, string>;
  /** The v3 document, as JSON, of a server that has none itself. */
  converted(path: string): { readonly hash: string; readonly bytes: Buffer } | undefined;
  /** Passes a request for a v3 document on; undefined if no other server has it. */
  handlerOf(path: string): { handle(ctx: ApiContext): void | Promise<void> } | undefined;
  /** Their v2 documents, which are added to that of this server in this order. */
  specs(): readonly RemoteSpec[];
  /** Whether a group-version that this server has, too, is another server's. */
  isRemote(group: string, version: string): boolean;
}
