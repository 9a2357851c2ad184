import { fromV1beta1, toV1beta1, v1beta1 } from '../../kinds/apiextensions.k8s.io/v1beta1.ts';
import { type FormerVersion, formerVersion } from '../../kinds/former-versions.ts';
import type { Catalog, GroupVersionCatalog } from '../../machinery/catalog.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { fromUnstructured, type Json, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { jsonGroups } from '../../resources/stored-length.ts';
import type { FindKind, StoredKind } from '../../storage/storage-codec/stored-kind.ts';

const definitionsGroup = 'apiextensions.k8s.io';

/** Kinds of core/v1 that are stored but not served. */
const unserved: ReadonlyMap<string, () => Promise<StoredKind>> = new Map([
  ['v1 RangeAllocation', async () => (await import('./range-allocation.ts')).rangeAllocation],
]);

/** Finds the stored built-in kinds of a catalog. Loads the code of a group-version on first use. */
export function storedKinds(catalog: Catalog): FindKind {
  const homes = homesOf(catalog);
  const loaded = new Map<string, StoredKind>();
  const loading = new Map<string, Promise<StoredKind | undefined>>();
  return (apiVersion, kind) => {
    const key = `${apiVersion} ${kind}`;
    const known = loaded.get(key) ?? loading.get(key);
    if (known !== undefined) return known;
    const former = homes.has(key) ? undefined : formerVersion(apiVersion, kind);
    const home = homes.get(former === undefined ? key : `${former.apiVersion} ${kind}`);
    const load = home === undefined ? unserved.get(key) : () => storedKind(home, kind, former ?? { apiVersion });
    if (load === undefined) return undefined;
    const promise = load()
      .then((stored) => {
        loaded.set(key, stored);
        return stored;
      })
      .finally(() => loading.delete(key));
    loading.set(key, promise);
    return promise;
  };
}

/** Returns the group-versions with the code of each stored kind, by apiVersion and kind. */
function homesOf({ groupVersions }: Catalog): Map<string, GroupVersionCatalog> {
  const homes = new Map<string, GroupVersionCatalog>();
  for (const groupVersion of groupVersions) {
    const apiVersion = formatGroupVersion(groupVersion);
    for (const { kind, stored } of groupVersion.resources) if (stored) homes.set(`${apiVersion} ${kind}`, groupVersion);
  }
  const home = homes.get(`${definitionsGroup}/v1 CustomResourceDefinition`);
  if (home !== undefined) homes.set(`${v1beta1} CustomResourceDefinition`, home);
  return homes;
}

async function storedKind(home: GroupVersionCatalog, kind: string, version: FormerVersion): Promise<StoredKind> {
  const definition = (await home.load()).find((one) => one.kind === kind && one.stored);
  if (definition === undefined) throw new Error(`${formatGroupVersion(home)} has no ${kind}`);
  if (definition.group === definitionsGroup) return storedDefinition(definition, version.apiVersion);
  const { group, type } = definition;
  const { apiVersion, rename = (value: Json) => value, convert = (object: KubeObject) => object } = version;
  return {
    protobuf: jsonGroups.has(group) ? undefined : type.protobuf,
    prune: (value) => type.prune(atVersion(rename(value), apiVersion), new PruneContext()),
    fromStored: (object) => withDefaults(definition, convert({ ...object, apiVersion })),
  };
}

/** Returns the stored kind of CustomResourceDefinitions, which are written at v1beta1 and read at both versions. */
function storedDefinition(definition: ResourceDefinition, apiVersion: string): StoredKind {
  const toV1 = (value: Json): Json => (apiVersion === v1beta1 ? unstructuredContent(fromV1beta1(fromUnstructured(value))) : value);
  return {
    prune: (value) => definition.type.prune(toV1(value), new PruneContext()),
    fromStored: (object) => withDefaults(definition, object),
    toStored: toV1beta1,
  };
}

function withDefaults({ type, conversion }: ResourceDefinition, object: KubeObject): KubeObject {
  type.setDefaults(object);
  return conversion.toStorage(object);
}

const atVersion = (value: Json, apiVersion: string): Json => (isJsonObject(value) ? { ...value, apiVersion } : value);
