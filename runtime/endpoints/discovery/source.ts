import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';

/** What discovery is about: everything served right now, and a number that changes whenever that does. */
export interface DiscoverySource {
  /** In discovery order; within a group the preferred version first. */
  groupVersions(): readonly GroupVersionCatalog[];
  /** Whether a group is there as long as the server runs: not one that definitions alone make. */
  isStatic(group: string): boolean;
  /** Grows with every change of `groupVersions`. */
  generation(): number;
  loadMeta(): Promise<Readonly<Record<string, TypeDefinition>>>;
  /** Paths of the OpenAPI v2 documents. */
  readonly openapiV2: readonly string[];
}

type Groups = ReadonlyMap<string, readonly GroupVersionCatalog[]>;

/** Lists of group-versions are made anew when one comes or goes. */
const grouped = new WeakMap<readonly GroupVersionCatalog[], Groups>();

/** Group-versions by group, in order. The core group is "". */
export function byGroup(source: DiscoverySource): Groups {
  const list = source.groupVersions();
  const known = grouped.get(list);
  if (known !== undefined) return known;
  const groups = new Map<string, GroupVersionCatalog[]>();
  grouped.set(list, groups);
  for (const groupVersion of list) {
    const versions = groups.get(groupVersion.group);
    if (versions) versions.push(groupVersion);
    else groups.set(groupVersion.group, [groupVersion]);
  }
  return groups;
}
