import { isRegistered } from '../../kinds/scheme.ts';
import type { ApiGroup, ResourceStrategy } from '../../machinery/api-group.ts';
import type { Catalog } from '../../machinery/catalog.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { once } from '../../machinery/event-loop/once.ts';
import { formatGroupResource } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { genericControlPlane } from './control-plane.ts';
import { checkConverters, withVersions } from './converters.ts';
import { importGroups } from './group-modules.ts';
import { releaseCatalog } from './releases.ts';
import { restrictCatalog } from './restricted-catalog.ts';

/** Kubernetes' own groups in a form for other threads: a release, or the URL of a module that exports the groups. */
export type BuiltinGroups = ReleaseGroups | string;

export interface ReleaseGroups {
  /** For example `v1.35`. */
  readonly release: string;
  /** `none` for an aggregated server. */
  readonly groups: 'all' | 'generic' | 'none';
}

/** Returns the form for other threads; undefined if they cannot load the groups. */
export const groupsForThreads = (builtin: ReleaseGroups | ApiGroup): BuiltinGroups | undefined =>
  'catalog' in builtin ? builtin.module : builtin;

export async function builtinGroup(builtin: BuiltinGroups): Promise<ApiGroup> {
  if (typeof builtin === 'string') return elementAt(await importGroups(builtin), 0);
  const catalog = await releaseCatalog(builtin.release);
  return { catalog: { ...selected[builtin.groups](catalog), recognizes: isRegistered }, strategies: {} };
}

const selected: Readonly<Record<ReleaseGroups['groups'], (catalog: Catalog) => Catalog>> = {
  all: (catalog) => catalog,
  generic: genericControlPlane,
  none: (catalog) => restrictCatalog(catalog, () => false),
};

/**
 * Returns the catalogs of Kubernetes' own groups and of other groups. The others have their converters and the table
 * columns of their strategies.
 *
 * @throws OptionError if a converter is missing
 */
export const servedCatalogs = ([builtin, ...groups]: readonly ApiGroup[]): Catalog[] => [
  ...(builtin ? [servedCatalog(builtin, async (definitions) => definitions)] : []),
  ...groups.map((group) => {
    checkConverters(group);
    return servedCatalog(group, (definitions) => withVersions(group, definitions));
  }),
];

function servedCatalog(
  { catalog, strategies }: ApiGroup,
  complete: (definitions: readonly ResourceDefinition[]) => Promise<readonly ResourceDefinition[]>,
): Catalog {
  return {
    ...catalog,
    groupVersions: catalog.groupVersions.map((groupVersion) => ({
      ...groupVersion,
      load: once(async () =>
        (await complete(await groupVersion.load())).map((definition) => withTable(definition, strategies[formatGroupResource(definition)])),
      ),
    })),
  };
}

/** Columns get objects at the storage version, whatever the client requests. */
function withTable(definition: ResourceDefinition, strategy: ResourceStrategy | undefined): ResourceDefinition {
  const table = strategy?.table;
  if (table === undefined) return definition;
  const { conversion, version, storageVersion } = definition;
  if (version === storageVersion) return { ...definition, columns: table };
  return {
    ...definition,
    columns: table.map((column) => ({
      ...column,
      cell: (object, now) => column.cell(conversion.toStorage(structuredClone(object)), now),
    })),
  };
}
