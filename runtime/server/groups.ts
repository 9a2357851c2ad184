import type { AnyStrategy, ApiGroup } from '../machinery/api-group.ts';
import type { Catalog } from '../machinery/catalog.ts';
import { formatGroupResource } from '../machinery/gvk.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { genericControlPlane } from './control-plane.ts';
import { importGroups } from './group-modules.ts';

/** Kubernetes' own groups. @param builtin as ServerOptions.builtin, with the URL of a module in place of a group */
export async function builtinGroup(builtin: boolean | string): Promise<ApiGroup> {
  if (typeof builtin === 'string') return (await importGroups(builtin))[0];
  const { catalog } = await import('../../generated/v1.35/catalog.ts');
  return { catalog: builtin ? catalog : genericControlPlane(catalog), strategies: {} };
}

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
