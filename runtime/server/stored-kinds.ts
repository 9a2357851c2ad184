import { fromV1beta1, toV1beta1, v1beta1 } from '../kinds/apiextensions.k8s.io/v1beta1.ts';
import type { Catalog, GroupVersionCatalog } from '../machinery/catalog.ts';
import { formatGroupVersion } from '../machinery/gvk.ts';
import { fromUnstructured, type Json, type KubeObject, unstructuredContent } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { FindKind, StoredKind } from '../storage/storage-codec/stored-kind.ts';

const definitionsGroup = 'apiextensions.k8s.io';

/** Groups that servers of their own serve upstream, which have only JSON. (pkg/controlplane/apiserver: LegacyCodec) */
const jsonGroups: ReadonlySet<string> = new Set([definitionsGroup, 'apiregistration.k8s.io']);

/** The built-in kinds of a catalog, as they are stored. Loads the code of a group-version when it is first needed. */
export function storedKinds(catalog: Catalog): FindKind {
  const homes = new Map<string, GroupVersionCatalog>();
  for (const groupVersion of catalog.groupVersions) {
    const apiVersion = formatGroupVersion(groupVersion);
    for (const { kind, stored } of groupVersion.resources) if (stored) homes.set(`${apiVersion} ${kind}`, groupVersion);
  }
  const loaded = new Map<string, StoredKind>();
  const loading = new Map<string, Promise<StoredKind | undefined>>();
  const home = homes.get(`${definitionsGroup}/v1 CustomResourceDefinition`);
  if (home !== undefined) homes.set(`${v1beta1} CustomResourceDefinition`, home);
  return (apiVersion, kind) => {
    const key = `${apiVersion} ${kind}`;
    const known = loaded.get(key) ?? loading.get(key);
    const from = homes.get(key);
    if (known !== undefined || from === undefined) return known;
    const load = async (): Promise<StoredKind | undefined> => {
      const definition = (await from.load()).find((one) => one.kind === kind && one.stored);
      const stored = definition && storedKind(definition, apiVersion);
      if (stored !== undefined) loaded.set(key, stored);
      return stored;
    };
    const promise = load().finally(() => loading.delete(key));
    loading.set(key, promise);
    return promise;
  };
}

function storedKind({ group, type, conversion }: ResourceDefinition, apiVersion: string): StoredKind {
  const prune = (value: Json): KubeObject => type.prune(value, new PruneContext());
  const fromStored = (object: KubeObject): KubeObject => {
    type.setDefaults(object);
    return conversion.toStorage(object);
  };
  if (group !== definitionsGroup) {
    return { protobuf: jsonGroups.has(group) ? undefined : type.protobuf, prune, fromStored };
  }
  const isOld = apiVersion === v1beta1;
  return {
    prune: (value) => prune(isOld ? unstructuredContent(fromV1beta1(fromUnstructured(value))) : value),
    fromStored,
    toStored: toV1beta1,
  };
}
