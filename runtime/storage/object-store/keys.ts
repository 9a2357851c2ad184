import { orderKey } from '../mvcc/keys.ts';

/** What all keys of a store begin with, unless --etcd-prefix says otherwise. */
export const registryPrefix = '/registry';

/** The common prefix of the keys of a resource, as `/registry/services/specs/`. */
export function keyPrefix({ resourcePrefix }: { readonly resourcePrefix: string }, root = registryPrefix): string {
  return `${root}/${resourcePrefix}/`;
}

/** The first key after all keys with the prefix. */
export function prefixEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** The key after the prefix: `<namespace>/<name>`, or `<name>` for cluster-scoped resources. */
export function objectSuffix(namespaced: boolean, namespace: string, name: string): string {
  if (name === '' || name.includes('/')) throw new TypeError(`invalid object name: ${JSON.stringify(name)}`);
  if (!namespaced) {
    if (namespace !== '') throw new TypeError(`cluster-scoped object in namespace ${JSON.stringify(namespace)}`);
    return name;
  }
  if (namespace === '' || namespace.includes('/')) {
    throw new TypeError(`invalid namespace: ${JSON.stringify(namespace)}`);
  }
  return `${namespace}/${name}`;
}

/** The inverse of objectSuffix; undefined for any other text. */
export function parseSuffix(namespaced: boolean, suffix: string): { namespace: string; name: string } | undefined {
  const slash = suffix.indexOf('/');
  if (!namespaced) return slash < 0 && suffix !== '' ? { namespace: '', name: suffix } : undefined;
  if (slash <= 0 || slash === suffix.length - 1 || suffix.indexOf('/', slash + 1) >= 0) return undefined;
  return { namespace: suffix.slice(0, slash), name: suffix.slice(slash + 1) };
}

/** Describes the keys of a collection. */
export interface CollectionKeys {
  readonly namespaced: boolean;
  /** From keyPrefix. */
  readonly prefix: string;
}

/** The bounds of the objects of one namespace, or of all, in the tree of a collection. */
export function treeBounds(keys: CollectionKeys, namespace: string | undefined): { start: string; end?: string } {
  if (!keys.namespaced || namespace === undefined) return { start: '' };
  const start = orderKey(`${keys.prefix}${namespace}/`);
  return { start, end: prefixEnd(start) };
}

/** The smallest key after that of an object, which need not exist. */
export function treeAfter({ namespaced, prefix }: CollectionKeys, { namespace, name }: { namespace: string; name: string }): string {
  return `${orderKey(`${prefix}${namespaced ? `${namespace}/${name}` : name}`)}\0`;
}
