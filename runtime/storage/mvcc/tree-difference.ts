import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Keyed, Tree, TreeNode } from './ordered-tree.ts';

/** A key with different items in two trees, or with an item in only one. */
export interface TreeDifference<T extends Keyed> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** An unvisited subtree. The height of a leaf is 1. */
class Subtree<T extends Keyed> {
  readonly node: TreeNode<T>;
  readonly height: number;

  constructor(node: TreeNode<T>, height: number) {
    this.node = node;
    this.height = height;
  }
}

type Part<T extends Keyed> = Subtree<T> | T;

/**
 * Yields the differences between two trees, in key order. Skips shared subtrees, so that it costs about as much as
 * there are changes between two states of one tree. Compares items by identity.
 */
export function* treeDifference<T extends Keyed>(before: Tree<T>, after: Tree<T>): Generator<TreeDifference<T>, void, undefined> {
  const [olds, news] = [partsOf(before), partsOf(after)];
  for (;;) {
    const [old, now] = [olds.at(-1), news.at(-1)];
    if (old === undefined && now === undefined) return;
    if (old !== undefined && now !== undefined && isSame(old, now)) {
      olds.pop();
      news.pop();
      continue;
    }
    const [oldKey, newKey] = [old && firstKey(old), now && firstKey(now)];
    const oldIsFirst = newKey === undefined || (oldKey !== undefined && oldKey <= newKey);
    const newIsFirst = oldKey === undefined || (newKey !== undefined && newKey <= oldKey);
    // opens the part that begins earlier; of two that begin together, the taller one
    const [oldHeight, newHeight] = [oldIsFirst ? heightOf(old) : 0, newIsFirst ? heightOf(now) : 0];
    if (oldHeight > 0 || newHeight > 0) {
      if (oldHeight >= newHeight) open(olds);
      if (newHeight >= oldHeight) open(news);
      continue;
    }
    yield {
      before: oldIsFirst ? (olds.pop() as T | undefined) : undefined,
      after: newIsFirst ? (news.pop() as T | undefined) : undefined,
    };
  }
}

function partsOf<T extends Keyed>(tree: Tree<T>): Part<T>[] {
  if (tree === undefined) return [];
  let height = 1;
  for (let node = tree; node.children !== undefined; node = elementAt(node.children, 0)) height += 1;
  return [new Subtree(tree, height)];
}

/** Returns 0 for an item. */
function heightOf<T extends Keyed>(part: Part<T> | undefined): number {
  return part instanceof Subtree ? part.height : 0;
}

function isSame<T extends Keyed>(one: Part<T>, other: Part<T>): boolean {
  return one === other || (one instanceof Subtree && other instanceof Subtree && one.node === other.node);
}

function firstKey<T extends Keyed>(part: Part<T>): string {
  if (!(part instanceof Subtree)) return part.orderKey;
  let { node } = part;
  while (node.children !== undefined) node = elementAt(node.children, 0);
  return elementAt(node.items, 0).orderKey;
}

/** Replaces the last part by its content. Parts are in descending order. */
function open<T extends Keyed>(parts: Part<T>[]): void {
  const { node, height } = parts.pop() as Subtree<T>;
  const { items, children } = node;
  if (children === undefined) parts.push(...items.toReversed());
  else parts.push(...children.toReversed().map((child) => new Subtree(child, height - 1)));
}
