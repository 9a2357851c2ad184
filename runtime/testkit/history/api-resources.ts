import type { RestClient } from '../../client/rest-client.ts';

/** A listable resource, at the preferred version of its group. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly name: string;
  readonly singularName: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

interface APIGroup {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion: { readonly version: string };
}

const core: APIGroup = { name: '', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } };

/** Returns all stored resources, each at the preferred version of its group, or at the first that has it. */
export async function apiResources(client: RestClient): Promise<ApiResource[]> {
  const { groups } = await client.request<{ groups: readonly APIGroup[] }>({ method: 'GET', path: '/apis' });
  const found = [core, ...groups].map(async ({ name: group, versions, preferredVersion }) => {
    const rest = versions.map(({ version }) => version).filter((version) => version !== preferredVersion.version);
    const byName = new Map<string, ApiResource>();
    for (const version of [preferredVersion.version, ...rest]) {
      for (const resource of await resourcesOf(client, group, version)) {
        if (!byName.has(resource.name)) byName.set(resource.name, resource);
      }
    }
    return [...byName.values()];
  });
  return (await Promise.all(found)).flat();
}

async function resourcesOf(client: RestClient, group: string, version: string): Promise<ApiResource[]> {
  const { resources } = await client.request<{ resources: readonly Omit<ApiResource, 'group' | 'version'>[] }>({
    method: 'GET',
    path: rootOf(group, version),
  });
  return resources
    .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list') && verbs.includes('create'))
    .map((resource) => ({ ...resource, group, version }));
}

/**
 * Returns the resource for a word of kubectl: a plural, singular, short name or kind, optionally with its group or its
 * version and group after a dot.
 *
 * @throws Error for an unknown word
 */
export function resourceNamed(resources: readonly ApiResource[], word: string): ApiResource {
  const [name = '', ...rest] = word.toLowerCase().split('.');
  const place = rest.join('.');
  const found = resources.find(
    ({ group, version, ...names }) => isNamed(names, name) && (place === '' || place === group || place === `${version}.${group}`),
  );
  if (found === undefined) throw new Error(`the server doesn't have a resource type ${JSON.stringify(word)}`);
  return found;
}

const isNamed = (
  { name, singularName, shortNames = [], kind }: Pick<ApiResource, 'name' | 'singularName' | 'shortNames' | 'kind'>,
  wanted: string,
): boolean => [name, singularName, kind.toLowerCase(), ...shortNames].includes(wanted);

/** `pods`, `deployments.apps`. */
export const resourceText = ({ name, group }: ApiResource): string => (group === '' ? name : `${name}.${group}`);

const rootOf = (group: string, version: string): string => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`);

/** Returns the path of all objects of a resource, or of those in a namespace. */
export function collectionPath({ group, version, name, namespaced }: ApiResource, namespace?: string): string {
  const inNamespace = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${rootOf(group, version)}${inNamespace}/${name}`;
}
