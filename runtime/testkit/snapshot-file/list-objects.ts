import type { RestClient } from '../../client/rest-client.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import { exactList } from '../history/exact-list.ts';

const core = { name: '', versions: [{ version: 'v1', groupVersion: 'v1' }] };
/** Resources that are stored as another resource. */
const listedByOtherGroups = new Set(['events.k8s.io/events']);

interface APIGroup {
  readonly name: string;
  readonly versions: readonly { readonly version: string; readonly groupVersion: string }[];
}

interface APIResource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A resource that can be listed and created, at one version. */
interface ListedResource {
  readonly group: string;
  readonly version: string;
  readonly groupVersion: string;
  readonly resource: string;
  readonly kind: string;
}

/**
 * Returns all objects of a server at one moment. Each resource is read at the first version of its group that has it.
 * Custom resources are read at their storage version, so that no webhook has to convert them.
 */
export async function listObjects(client: RestClient): Promise<KubeObject[]> {
  const resources = await listedResources(client);
  const { revision } = await exactList(client, '/api/v1/namespaces', {});
  const definitions = resources.find(({ resource }) => resource === 'customresourcedefinitions');
  const stored = storageVersions(definitions === undefined ? [] : await list(client, definitions, revision));
  const lists: KubeObject[][] = [];
  // one request at a time, to spare a server in production
  for (const one of atStorageVersions(resources, stored)) lists.push(await list(client, one, revision));
  return lists.flat();
}

async function listedResources(client: RestClient): Promise<ListedResource[]> {
  const { groups } = await client.request<{ groups: readonly APIGroup[] }>({ method: 'GET', path: '/apis' });
  const found = [core, ...groups.filter(({ name }) => name !== testGroupName)].map(async ({ name: group, versions }) => {
    const ofVersions = versions.map(async ({ version, groupVersion }) => {
      const path = `/${group === '' ? 'api' : 'apis'}/${groupVersion}`;
      const { resources } = await client.request<{ resources: readonly APIResource[] }>({ method: 'GET', path });
      return resources
        .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list') && verbs.includes('create'))
        .filter(({ name }) => !listedByOtherGroups.has(`${group}/${name}`))
        .map(({ name: resource, kind }) => ({ group, version, groupVersion, resource, kind }));
    });
    return (await Promise.all(ofVersions)).flat();
  });
  return (await Promise.all(found)).flat();
}

/** Returns storage versions by `group/resource`. */
function storageVersions(definitions: readonly KubeObject[]): ReadonlyMap<string, string> {
  const entries = definitions.flatMap((definition) => {
    const { spec } = unstructuredContent(definition);
    if (!isJsonObject(spec) || !isJsonObject(spec.names) || !Array.isArray(spec.versions)) return [];
    const { names, group, versions } = spec;
    const stored = versions.filter(isJsonObject).find(({ storage, served }) => storage === true && served === true);
    return stored === undefined ? [] : [[`${group}/${names.plural}`, String(stored.name)] as const];
  });
  return new Map(entries);
}

/** Returns each resource once. */
function atStorageVersions(resources: readonly ListedResource[], stored: ReadonlyMap<string, string>): Iterable<ListedResource> {
  const chosen = new Map<string, ListedResource>();
  for (const each of resources) {
    const key = `${each.group}/${each.resource}`;
    if (!chosen.has(key) || each.version === stored.get(key)) chosen.set(key, each);
  }
  return chosen.values();
}

/** @param revision the revision of that moment */
async function list(client: RestClient, { group, groupVersion, resource, kind }: ListedResource, revision: number): Promise<KubeObject[]> {
  const path = `/${group === '' ? 'api' : 'apis'}/${groupVersion}/${resource}`;
  const { items } = await exactList(client, path, { revision });
  return items.map((item) => ({ ...item, apiVersion: groupVersion, kind }));
}
