import { orderKey } from '../mvcc/keys.ts';
import { type Tree, treeGet, treeRank, treeScan, treeSize } from '../mvcc/ordered-tree.ts';
import type { CollectionSnapshot, StoredObject } from '../object-store/contract.ts';
import { type CollectionKeys, treeAfter, treeBounds, treeFrom } from '../object-store/keys.ts';
import type { CachedObject } from './cached-object.ts';

export class TreeSnapshot implements CollectionSnapshot {
  readonly revision: number;
  readonly #root: Tree<CachedObject>;
  readonly #keys: CollectionKeys;
  readonly #onScan: () => void;

  /** @param onScan called for every scan */
  constructor(revision: number, root: Tree<CachedObject>, keys: CollectionKeys, onScan: () => void) {
    this.revision = revision;
    this.#root = root;
    this.#keys = keys;
    this.#onScan = onScan;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    const { namespaced, prefix } = this.#keys;
    if (namespaced !== (namespace !== '')) return undefined;
    return treeGet(this.#root, orderKey(prefix + (namespaced ? `${namespace}/${name}` : name)));
  }

  scan({ namespace, after, from }: NonNullable<Parameters<CollectionSnapshot['scan']>[0]> = {}): Iterable<StoredObject> {
    this.#onScan();
    const { start, end } = this.#bounds(namespace, after);
    return treeScan(this.#root, from === undefined ? start : treeFrom(this.#keys, namespace, from), end);
  }

  count(namespace?: string): number {
    const { start, end } = treeBounds(this.#keys, namespace);
    return this.#between(start, end);
  }

  countAfter(after: { namespace: string; name: string }, namespace?: string): number {
    const { start, end } = this.#bounds(namespace, after);
    return this.#between(start, end);
  }

  #bounds(namespace?: string, after?: { namespace: string; name: string }): { start: string; end: string | undefined } {
    const { start, end } = treeBounds(this.#keys, namespace);
    if (after === undefined) return { start, end };
    const afterKey = treeAfter(this.#keys, after);
    return afterKey > start ? { start: afterKey, end } : { start, end };
  }

  #between(start: string, end: string | undefined): number {
    const to = end === undefined ? treeSize(this.#root) : treeRank(this.#root, end);
    return Math.max(0, to - treeRank(this.#root, start));
  }
}
