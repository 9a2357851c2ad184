import type { AnyStrategy, ApiGroup } from '../machinery/api-group.ts';
import type { Catalog } from '../machinery/catalog.ts';
import { formatGroupResource } from '../machinery/gvk.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { genericControlPlane } from './control-plane.ts';
import { importGroups } from './group-modules.ts';
import { restrictCatalog } from './restricted-catalog.ts';

/** Kubernetes' own groups, as ServerOptions.builtin says; none of them in an aggregated server. */
export type BuiltinGroups = boolean | 'none' | ApiGroup;

/** @param builtin as BuiltinGroups, with the URL of a module in place of a group */
export async function builtinGroup(builtin: boolean | string): Promise<ApiGroup> {
  if (builtin === 'none') return { catalog: restrictCatalog(await builtinCatalog(), () => false), strategies: {} };
  if (typeof builtin === 'string') return (await importGroups(builtin))[0];
  const catalog = await builtinCatalog();
  return { catalog: builtin ? catalog : genericControlPlane(catalog), strategies: {} };
}

const builtinCatalog = async (): Promise<Catalog> => (await import('../../generated/v1.35/catalog.ts')).catalog;

/** The catalog of a group, with the table columns of its strategies. */
export function servedCatalog({ catalog, strategies }: ApiGroup): Catalog {
  return {
    ...catalog,
    groupVersions: catalog.groupVersions.map((groupVersion) => ({
      ...groupVersion,
      load: async () =>
        (await groupVersion.load()).map((definition) =>
          withTable(definition, strategies[formatGroupResource(definition)]),
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
