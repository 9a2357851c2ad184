import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { ResourceFacts } from '../../machinery/resource.ts';
import type { GroupDiscovery, RemoteVersion } from './aggregation.ts';

export type AggregatedVersion = 'v2' | 'v2beta1';

/**
 * Returns groups, versions and resources in one response, an APIGroupDiscoveryList of apidiscovery.k8s.io: for /api the core
 * group, for /apis the others. (KEP-3352)
 */
export function apiGroupDiscoveryList(groups: readonly GroupDiscovery[], version: AggregatedVersion): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { ...(name === '' ? {} : { name }) },
      versions: versions.map(versionDiscovery),
    })),
  };
}

function versionDiscovery(one: GroupVersionCatalog | RemoteVersion): JsonObject {
  if (!('freshness' in one)) return { version: one.version, resources: resourcesOf(one), freshness: 'Current' };
  const { version, resources, freshness } = one;
  return { version, ...(resources ? { resources: [...resources] } : {}), freshness };
}

/** By list of resources: a change of the resources makes a new list. */
const discoveryOf = new WeakMap<GroupVersionCatalog['resources'], JsonObject[]>();

function resourcesOf(catalog: GroupVersionCatalog): JsonObject[] {
  const { resources } = catalog;
  let discovery = discoveryOf.get(resources);
  if (discovery === undefined) {
    const sorted = [...resources].sort((a, b) => (a.resource < b.resource ? -1 : 1));
    discovery = sorted.map((facts) => resource(facts, kindsOf(catalog)));
    discoveryOf.set(resources, discovery);
  }
  return discovery;
}

function resource(facts: ResourceFacts, responseKind: ResponseKind): JsonObject {
  return {
    resource: facts.resource,
    responseKind: responseKind(facts),
    scope: facts.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: facts.singular,
    verbs: [...facts.verbs],
    ...(facts.shortNames.length === 0 ? {} : { shortNames: [...facts.shortNames] }),
    ...(facts.categories.length === 0 ? {} : { categories: [...facts.categories] }),
    ...(facts.subresources.length === 0
      ? {}
      : {
          subresources: facts.subresources.map((one) => ({
            subresource: one.name,
            responseKind: responseKind(one.gvk),
            verbs: [...one.verbs],
          })),
        }),
  };
}

type ResponseKind = (kind: GroupVersionKind) => JsonObject;

/**
 * A kind of the group-version itself has neither group nor version there, unless it is a custom resource. (apiserver
 * pkg/endpoints/installer.go, apiextensions-apiserver customresource_discovery_controller.go)
 */
function kindsOf({ group, version, openapi, openapiParts = [], schemasFile }: GroupVersionCatalog): ResponseKind {
  const isCustom = openapiParts.length > 0 && openapi === undefined && schemasFile === undefined;
  return (one) => {
    const isOwn = one.group === group && one.version === version;
    return isOwn && !isCustom ? { group: '', version: '', kind: one.kind } : { group: one.group, version: one.version, kind: one.kind };
  };
}
