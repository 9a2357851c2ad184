import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import type { JsonObject } from '../../machinery/object.ts';

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
