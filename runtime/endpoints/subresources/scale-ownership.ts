import { plainError } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { fieldElement, type Path } from '../../patch/field-set/path-element.ts';
import { fromScaleEntries, type ReplicasPaths, toScaleEntries } from '../../patch/managed-fields/scale-handler.ts';
import type { ResourceRequest } from '../resource-request.ts';

type Entries = ManagedFieldsEntry[] | undefined;

/** Whose the replicas are: as the object says it, and as its Scale does. @throws StatusError where the entries cannot be read */
export interface ScaleOwnership {
  ofScale(parent: Entries): Entries;
  ofParent(scale: Entries, parent: Entries): Entries;
}

/** For the versions at which the object's fields are owned. */
export async function scaleOwnership(request: ResourceRequest, object: KubeObject): Promise<ScaleOwnership> {
  const paths = await replicasPaths(request, object);
  const apiVersion = formatGroupVersion(request.definition);
  return {
    ofScale: (parent) => readable(() => toScaleEntries(parent, paths)),
    ofParent: (scale, parent) => readable(() => fromScaleEntries(scale, parent, apiVersion, paths)),
  };
}

async function replicasPaths({ scope, definition }: ResourceRequest, { metadata }: KubeObject): Promise<ReplicasPaths> {
  const { group, resource } = definition;
  const own = formatGroupVersion(definition);
  const owned = new Set((metadata.managedFields ?? []).map(({ apiVersion = '' }) => apiVersion));
  const paths = new Map<string, Path | undefined>([[own, replicasPath(definition)]]);
  for (const served of scope.registry.groupVersions()) {
    const apiVersion = formatGroupVersion(served);
    if (served.group !== group || apiVersion === own || !owned.has(apiVersion)) continue;
    const other = await scope.registry.lookup(group, served.version, resource)?.load();
    if (other !== undefined) paths.set(apiVersion, replicasPath(other));
  }
  return paths;
}

function replicasPath({ subresources }: ResourceDefinition): Path | undefined {
  const { scale } = subresources.find(({ name }) => name === 'scale') ?? {};
  return scale?.specReplicas.split('.').map(fieldElement);
}

function readable(work: () => Entries): Entries {
  try {
    return work();
  } catch (error) {
    throw plainError((error as Error).message);
  }
}
