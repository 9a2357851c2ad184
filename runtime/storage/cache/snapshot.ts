import { orderKey } from '../mvcc/keys.ts';
import { type Tree, treeGet, treeRank, treeScan, treeSize } from '../mvcc/ordered-tree.ts';
import type { Snapshot, StoredObject } from '../object-store/contract.ts';
import { type CollectionPlace, treeAfter, treeBounds } from '../object-store/keys.ts';
import type { CachedObject } from './cached-object.ts';

export class TreeSnapshot implements Snapshot {
  readonly revision: number;
  readonly #root: Tree<CachedObject>;
  readonly #place: CollectionPlace;
  readonly #onScan: () => void;

  /** @param onScan called whenever objects are listed: the tree is likely to be asked for again */
  constructor(revision: number, root: Tree<CachedObject>, place: CollectionPlace, onScan: () => void) {
    this.revision = revision;
    this.#root = root;
    this.#place = place;
    this.#onScan = onScan;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    const { namespaced, prefix } = this.#place;
    if (namespaced !== (namespace !== '')) return undefined;
    return treeGet(this.#root, orderKey(prefix + (namespaced ? `${namespace}/${name}` : name)));
  }

  scan(options: { namespace?: string; after?: { namespace: string; name: string } } = {}): Iterable<StoredObject> {
    this.#onScan();
    const { start, end } = this.#bounds(options.namespace, options.after);
    return treeScan(this.#root, start, end);
  }

  count(namespace?: string): number {
    const { start, end } = treeBounds(this.#place, namespace);
    return this.#between(start, end);
  }

  countAfter(after: { namespace: string; name: string }, namespace?: string): number {
    const { start, end } = this.#bounds(namespace, after);
    return this.#between(start, end);
  }

  #bounds(namespace?: string, after?: { namespace: string; name: string }): { start: string; end?: string } {
    const { start, end } = treeBounds(this.#place, namespace);
    if (after === undefined) return { start, end };
    const behind = treeAfter(this.#place, after);
    return behind > start ? { start: behind, end } : { start, end };
  }

  #between(start: string, end: string | undefined): number {
    const to = end === undefined ? treeSize(this.#root) : treeRank(this.#root, end);
    return Math.max(0, to - treeRank(this.#root, start));
  }
}
