import type { AnyStrategy, ApiGroup } from '../../machinery/api-group.ts';
import type { Catalog } from '../../machinery/catalog.ts';
import { once } from '../../machinery/event-loop/once.ts';
import { formatGroupResource } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { genericControlPlane } from './control-plane.ts';
import { checkConverters, withVersions } from './converters.ts';
import { importGroups } from './group-modules.ts';
import { releaseCatalog } from './releases.ts';
import { restrictCatalog } from './restricted-catalog.ts';

/** Kubernetes' own groups: those of a release, or the URL of a module that has them. Threads can be told. */
export type BuiltinGroups = ReleaseGroups | string;

export interface ReleaseGroups {
  /** As `v1.35`. */
  readonly release: string;
  /** An aggregated server has none of them. */
  readonly groups: 'all' | 'generic' | 'none';
}

/** Where other threads find Kubernetes' own groups; undefined if they cannot. */
export const forThreads = (builtin: ReleaseGroups | ApiGroup): BuiltinGroups | undefined =>
  'catalog' in builtin ? builtin.module : builtin;

export async function builtinGroup(builtin: BuiltinGroups): Promise<ApiGroup> {
  if (typeof builtin === 'string') return (await importGroups(builtin))[0];
  const catalog = await releaseCatalog(builtin.release);
  return { catalog: selected[builtin.groups](catalog), strategies: {} };
}

const selected: Readonly<Record<ReleaseGroups['groups'], (catalog: Catalog) => Catalog>> = {
  all: (catalog) => catalog,
  generic: genericControlPlane,
  none: (catalog) => restrictCatalog(catalog, () => false),
};

/**
 * The catalogs of Kubernetes' own groups and of others, with the converters of these and the table columns of their strategies.
 *
 * @throws OptionError if a converter is missing
 */
export const servedCatalogs = ([builtin, ...groups]: readonly ApiGroup[]): Catalog[] => [
  servedCatalog(builtin, async (definitions) => definitions),
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

/** Columns get the object at the storage version, whatever version the client requests. */
function withTable(definition: ResourceDefinition, strategy: AnyStrategy | undefined): ResourceDefinition {
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
