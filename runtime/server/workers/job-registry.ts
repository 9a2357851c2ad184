import type { ApiGroup } from '../../machinery/api-group.ts';
import { minorOf } from '../../machinery/release.ts';
import { ResourceRegistry } from '../../resources/registry.ts';
import { importGroups } from '../groups/group-modules.ts';
import { builtinGroup, servedCatalogs } from '../groups/groups.ts';
import { applyRuntimeConfig } from '../groups/runtime-config.ts';
import type { WorkerData } from './protocol.ts';

/** The resources that a worker thread serves. */
interface JobRegistry {
  readonly registry: ResourceRegistry;
  readonly groups: readonly ApiGroup[];
  /** The minor of the built-in kinds: 35 for v1.35. */
  readonly minor: number;
}

/** Imports the API groups of the server, and registers the resources that it serves. */
export async function openJobRegistry({ builtin, groupModules, runtimeConfig, features }: WorkerData): Promise<JobRegistry> {
  const [builtins, ...further] = await Promise.all([builtinGroup(builtin), ...groupModules.map(importGroups)]);
  const groups = [builtins, ...further.flat()];
  const registry = new ResourceRegistry();
  const catalogs = applyRuntimeConfig(servedCatalogs(groups), runtimeConfig, features);
  for (const catalog of catalogs) registry.add(catalog);
  return { registry, groups, minor: minorOf(builtins.catalog.release) };
}
