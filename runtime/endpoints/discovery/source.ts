import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';

/** The group-versions that are served now. */
export interface DiscoverySource {
  /** In discovery order; within a group the preferred version first. */
  groupVersions(): readonly GroupVersionCatalog[];
  /** Reports whether the server always serves the group. Groups of custom resources come and go. */
  isStatic(group: string): boolean;
  /** A number that grows with every change of `groupVersions`. */
  generation(): number;
  loadMeta(): Promise<Readonly<Record<string, TypeDefinition>>>;
  /** The files of the OpenAPI v2 documents. */
  readonly openapiV2: readonly string[];
}

type Groups = ReadonlyMap<string, readonly GroupVersionCatalog[]>;

/** Groups by list of group-versions. A change of the group-versions makes a new list. */
const grouped = new WeakMap<readonly GroupVersionCatalog[], Groups>();

/** Returns the group-versions by group, in order. The core group is "". */
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
