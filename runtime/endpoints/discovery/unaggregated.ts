import { createHash } from 'node:crypto';
import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/gvk.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { ResourceFacts } from '../../machinery/resource.ts';
import type { DiscoveryGroup } from './aggregation.ts';

/* The responses of unaggregated discovery, of the kinds of meta/v1. (apiserver pkg/endpoints/discovery) */

/** Returns the response of /api. */
export function apiVersions(versions: readonly GroupVersionCatalog[], serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: versions.map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** Returns the response of /apis. */
export function apiGroupList(groups: readonly DiscoveryGroup[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupMembers) };
}

/** Returns the response of /apis/<group>. */
export function apiGroup(group: DiscoveryGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupMembers(group) };
}

function groupMembers({ name, versions }: DiscoveryGroup): JsonObject {
  const entries = versions.map((version) => ({ groupVersion: formatGroupVersion({ group: name, version }), version }));
  return { name, versions: entries, preferredVersion: elementAt(entries, 0) };
}

/** Returns the response of /api/v1 or /apis/<group>/<version>: resources by name, each with its subresources. */
export function apiResourceList(groupVersion: GroupVersionCatalog): JsonObject {
  const resources = [...groupVersion.resources]
    .sort((a, b) => (a.resource < b.resource ? -1 : 1))
    .flatMap((facts) => [resource(facts), ...facts.subresources.map((one) => subresource(facts, one))]);
  // the list of the legacy group has no apiVersion
  const apiVersion: JsonObject = groupVersion.group === '' ? {} : { apiVersion: 'v1' };
  return { kind: 'APIResourceList', ...apiVersion, groupVersion: formatGroupVersion(groupVersion), resources };
}

function resource(facts: ResourceFacts): JsonObject {
  return {
    name: facts.resource,
    singularName: facts.singular,
    namespaced: facts.namespaced,
    kind: facts.kind,
    verbs: [...facts.verbs],
    ...(facts.shortNames.length === 0 ? {} : { shortNames: [...facts.shortNames] }),
    ...(facts.categories.length === 0 ? {} : { categories: [...facts.categories] }),
    ...(facts.stored ? { storageVersionHash: storageVersionHash(storedKind(facts)) } : {}),
  };
}

function subresource(facts: ResourceFacts, one: ResourceFacts['subresources'][number]): JsonObject {
  const isOfOtherVersion = one.gvk.group !== facts.group || one.gvk.version !== facts.version;
  return {
    name: `${facts.resource}/${one.name}`,
    singularName: '',
    namespaced: facts.namespaced,
    ...(isOfOtherVersion ? { group: one.gvk.group, version: one.gvk.version } : {}),
    kind: one.gvk.kind,
    verbs: [...one.verbs],
  };
}

function storedKind({ group, storageGroup = group, storageVersion, kind }: ResourceFacts): GroupVersionKind {
  // the only kind whose stored version is not served
  const version = group === 'apiextensions.k8s.io' ? 'v1beta1' : storageVersion;
  return { group: storageGroup, version, kind };
}

/** Returns the first eight bytes of the SHA-256 of the stored kind. (apiserver pkg/endpoints/discovery/storageversionhash.go) */
function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
