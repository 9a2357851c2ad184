import { messageOf } from '../../machinery/errors/message-of.ts';
import { plainError } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { fieldElement, type Path } from '../../patch/fieldpath/path-element.ts';
import { type ResourcePathMappings, toParentManagedFields, toScaleManagedFields } from '../../patch/managed-fields/scale-handler.ts';
import { scalePathsOf } from '../../resources/scale.ts';
import type { ResourceRequest } from '../resource-request.ts';

type Entries = ManagedFieldsEntry[] | undefined;

/** Converts managed fields between an object and its scale. (fieldmanager.ScaleHandler) @throws StatusError 500 */
export interface ScaleManagedFields {
  toScale(parent: Entries): Entries;
  toParent(scale: Entries, parent: Entries): Entries;
}

/** Knows the path of the replicas in every version in which fields of the object are managed. */
export async function scaleManagedFields(request: ResourceRequest, object: KubeObject): Promise<ScaleManagedFields> {
  const paths = await replicasPaths(request, object);
  const apiVersion = formatGroupVersion(request.definition);
  return {
    toScale: (parent) => withStatusErrors(() => toScaleManagedFields(parent, paths)),
    toParent: (scale, parent) => withStatusErrors(() => toParentManagedFields(scale, parent, apiVersion, paths)),
  };
}

async function replicasPaths({ scope, definition }: ResourceRequest, { metadata }: KubeObject): Promise<ResourcePathMappings> {
  const { group, resource } = definition;
  const ownVersion = formatGroupVersion(definition);
  const managedVersions = new Set((metadata.managedFields ?? []).map(({ apiVersion = '' }) => apiVersion));
  const paths = new Map<string, Path | undefined>([[ownVersion, replicasPath(definition)]]);
  for (const served of scope.registry.groupVersions()) {
    const apiVersion = formatGroupVersion(served);
    if (served.group !== group || apiVersion === ownVersion || !managedVersions.has(apiVersion)) continue;
    const other = await scope.registry.lookup(group, served.version, resource)?.load();
    if (other !== undefined) paths.set(apiVersion, replicasPath(other));
  }
  return paths;
}

const replicasPath = (definition: ResourceDefinition): Path | undefined =>
  scalePathsOf(definition)?.specReplicas.split('.').map(fieldElement);

function withStatusErrors(convert: () => Entries): Entries {
  try {
    return convert();
  } catch (error) {
    throw plainError(messageOf(error));
  }
}
