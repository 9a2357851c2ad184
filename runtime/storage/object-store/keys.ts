import { orderKey } from '../mvcc/keys.ts';

/** The part of a key that all objects of a resource share: `/registry/<group or "core">/<plural>/`. */
export function resourcePrefix({ group, resource }: { group: string; resource: string }): string {
  return `/registry/${group === '' ? 'core' : group}/${resource}/`;
}

/** The first key behind all that begin with `prefix`. */
export function prefixEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** The prefix in a key, or undefined for a key that is no object's. */
export function prefixOf(key: string): string | undefined {
  // The slashes: before "registry", the group, the plural, the rest.
  let slash = 0;
  for (let count = 0; count < 3; count += 1) {
    slash = key.indexOf('/', slash + 1);
    if (slash < 0) return undefined;
  }
  return key.slice(0, slash + 1);
}

/** What follows the prefix: `<namespace>/<name>`, or `<name>` for cluster-scoped resources. */
export function objectSuffix(namespaced: boolean, namespace: string, name: string): string {
  if (name === '' || name.includes('/')) throw new TypeError(`not an object's name: ${JSON.stringify(name)}`);
  if (!namespaced) {
    if (namespace !== '') throw new TypeError(`a cluster-scoped object in namespace ${JSON.stringify(namespace)}`);
    return name;
  }
  if (namespace === '' || namespace.includes('/')) {
    throw new TypeError(`not a namespace: ${JSON.stringify(namespace)}`);
  }
  return `${namespace}/${name}`;
}

/** The inverse of objectSuffix; undefined for what it cannot have made. */
export function parseSuffix(namespaced: boolean, suffix: string): { namespace: string; name: string } | undefined {
  const slash = suffix.indexOf('/');
  if (!namespaced) return slash < 0 && suffix !== '' ? { namespace: '', name: suffix } : undefined;
  if (slash <= 0 || slash === suffix.length - 1 || suffix.indexOf('/', slash + 1) >= 0) return undefined;
  return { namespace: suffix.slice(0, slash), name: suffix.slice(slash + 1) };
}

/** Where a collection's keys are. */
export interface CollectionPlace {
  readonly namespaced: boolean;
  /** From resourcePrefix. */
  readonly prefix: string;
}

/** Where the objects of one namespace, or of all, are in a collection's tree. */
export function treeBounds(place: CollectionPlace, namespace: string | undefined): { start: string; end?: string } {
  if (!place.namespaced || namespace === undefined) return { start: '' };
  const start = orderKey(`${place.prefix}${namespace}/`);
  return { start, end: prefixEnd(start) };
}

/** The first place behind an object in a collection's tree, whether it is there or not. */
export function treeAfter(
  { namespaced, prefix }: CollectionPlace,
  { namespace, name }: { namespace: string; name: string },
): string {
  return `${orderKey(`${prefix}${namespaced ? `${namespace}/${name}` : name}`)}\0`;
}
