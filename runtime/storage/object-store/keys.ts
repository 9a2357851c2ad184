import { orderKey } from '../mvcc/keys.ts';

/** The prefix of all keys of a store, unless --etcd-prefix sets another. */
export const registryPrefix = '/registry';

/** Returns the common prefix of a resource's keys, for example `/registry/services/specs/`. */
export function keyPrefix({ resourcePrefix }: { readonly resourcePrefix: string }, root = registryPrefix): string {
  return `${root}/${resourcePrefix}/`;
}

/** Returns the first key after all keys with the prefix. */
export function prefixEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** Returns the key after the prefix: `<namespace>/<name>`, or `<name>` for cluster-scoped resources. */
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

/** Parses the result of objectSuffix; returns undefined for other text. */
export function parseSuffix(namespaced: boolean, suffix: string): { namespace: string; name: string } | undefined {
  const slash = suffix.indexOf('/');
  if (!namespaced) return slash < 0 && suffix !== '' ? { namespace: '', name: suffix } : undefined;
  if (slash <= 0 || slash === suffix.length - 1 || suffix.indexOf('/', slash + 1) >= 0) return undefined;
  return { namespace: suffix.slice(0, slash), name: suffix.slice(slash + 1) };
}

/** The form of a collection's keys. */
export interface CollectionKeys {
  readonly namespaced: boolean;
  /** The result of keyPrefix. */
  readonly prefix: string;
}

/** Returns the bounds of one namespace's objects, or of all, in the tree of a collection. */
export function treeBounds(keys: CollectionKeys, namespace: string | undefined): { start: string; end?: string } {
  if (!keys.namespaced || namespace === undefined) return { start: '' };
  const start = orderKey(`${keys.prefix}${namespace}/`);
  return { start, end: prefixEnd(start) };
}

/** Returns the key of a text behind the prefix of one namespace, or of the collection. */
export function treeFrom({ namespaced, prefix }: CollectionKeys, namespace: string | undefined, text: string): string {
  return orderKey(`${prefix}${namespaced && namespace !== undefined ? `${namespace}/` : ''}${text}`);
}

/** Returns the smallest key after an object's. The object need not exist. */
export function treeAfter({ namespaced, prefix }: CollectionKeys, { namespace, name }: { namespace: string; name: string }): string {
  return `${orderKey(`${prefix}${namespaced ? `${namespace}/${name}` : name}`)}\0`;
}
