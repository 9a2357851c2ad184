import { signal } from '@preact/signals';
import { request } from './request.ts';

/** One resource that the server serves, in the version that it prefers. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
}

export interface Group {
  readonly name: string;
  readonly resources: readonly Resource[];
}

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources?: readonly DiscoveredResource[] }[];
  }[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
}

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** The groups with resources that can be listed and watched. */
export const groups = signal<readonly Group[]>([]);

/** Its objects are those of core. */
const secondGroupOfEvents = 'events.k8s.io';

/** Reads what the server serves now. */
export async function discover(): Promise<void> {
  const [core, others] = await Promise.all(['/api', '/apis'].map((path) => request<Discovery>(path, { accept })));
  const items = [...(core?.items ?? []), ...(others?.items ?? [])].filter(({ metadata }) => metadata.name !== secondGroupOfEvents);
  const found = items.map(({ metadata, versions }) => groupOf(metadata.name ?? '', versions));
  const listed = found.filter(({ resources }) => resources.length > 0);
  if (JSON.stringify(listed) !== JSON.stringify(groups.value)) groups.value = listed;
}

function groupOf(name: string, versions: Discovery['items'][number]['versions']): Group {
  const resources = new Map<string, Resource>();
  for (const { version, resources: all = [] } of versions) {
    for (const { resource, responseKind, scope, verbs, shortNames = [] } of all) {
      if (resources.has(resource) || !verbs.includes('list') || !verbs.includes('watch')) continue;
      const namespaced = scope === 'Namespaced';
      resources.set(resource, { group: name, version, resource, kind: responseKind?.kind ?? resource, namespaced, verbs, shortNames });
    }
  }
  return { name, resources: [...resources.values()].sort((a, b) => a.resource.localeCompare(b.resource)) };
}

export const resourceOf = (group: string, resource: string): Resource | undefined =>
  groups.value.find(({ name }) => name === group)?.resources.find((found) => found.resource === resource);

/** Finds the resource of a kind, for references between objects. */
export function resourceOfKind(apiVersion: string, kind: string): Resource | undefined {
  const [first = '', second] = apiVersion.split('/');
  const group = second === undefined ? '' : first;
  return groups.value.find(({ name }) => name === group)?.resources.find((found) => found.kind === kind);
}

/** Returns the path of a resource, or of one object of it. */
export function pathOf({ group, version, resource }: Pick<Resource, 'group' | 'version' | 'resource'>, namespace = '', name = ''): string {
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${prefix}${place}/${resource}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
}
