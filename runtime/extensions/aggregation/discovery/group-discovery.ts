import type { GroupVersionCatalog } from '../../../machinery/catalog.ts';
import type { GroupVersion } from '../../../machinery/gvk.ts';
import { compareKubeAwareVersions } from '../../../machinery/kube-versions.ts';
import type { JsonObject } from '../../../machinery/object.ts';
import type { APIServicePriority } from '../registration/priorities.ts';

/** A version of another server. (apidiscovery.k8s.io APIVersionDiscovery) */
export interface RemoteVersion {
  readonly version: string;
  /** Absent until the server has responded. */
  readonly resources?: readonly JsonObject[];
  readonly freshness: 'Current' | 'Stale';
}

/** A version with its priorities. */
export interface Prioritized<V = GroupVersionCatalog | RemoteVersion> extends GroupVersion {
  readonly priority: APIServicePriority;
  readonly value: V;
}

export interface OrderedGroup {
  readonly name: string;
  readonly versions: readonly (GroupVersionCatalog | RemoteVersion)[];
}

/**
 * Orders groups, and the versions of each group, by priority. The priority of a group is the highest of its versions.
 * The first of two equal group-versions counts. (apiserver pkg/endpoints/discovery/aggregated/handler.go
 * calculateAPIGroupsLocked)
 */
export function orderedGroups(all: Iterable<Prioritized>): OrderedGroup[] {
  const groups = new Map<string, Prioritized[]>();
  for (const one of all) {
    const versions = groups.get(one.group);
    if (versions === undefined) groups.set(one.group, [one]);
    else if (!versions.some(({ version }) => version === one.version)) versions.push(one);
  }
  const ranked = [...groups].map(([name, versions]) => ({
    name,
    versions,
    priority: Math.max(...versions.map(({ priority }) => priority.group)),
  }));
  ranked.sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
  return ranked.map(({ name, versions }) => ({
    name,
    versions: versions.sort(byVersionPriority).map(({ value }) => value),
  }));
}

const byVersionPriority = (a: Prioritized, b: Prioritized): number =>
  b.priority.version - a.priority.version || compareKubeAwareVersions(b.version, a.version);
