/**
 * A persistent ordered tree: every change makes a new root and copies only the path to it, so that a root is a
 * snapshot for ever, at no cost. Subtree sizes give exact counts in O(log n).
 *
 * Weight-balanced: neither side of a node is heavier than three times the other. (Hirai and Yamamoto, Balancing
 * weight-balanced trees, 2011, with their proven parameters 3 and 2)
 */
export interface Keyed {
  /** Ordered by UTF-16 code units: see `orderKey`. */
  readonly key: string;
}

export interface TreeNode<T extends Keyed> {
  readonly item: T;
  readonly left: Tree<T>;
  readonly right: Tree<T>;
  readonly size: number;
}

/** The empty tree is undefined. */
export type Tree<T extends Keyed> = TreeNode<T> | undefined;

export function treeSize<T extends Keyed>(tree: Tree<T>): number {
  return tree === undefined ? 0 : tree.size;
}

export function treeGet<T extends Keyed>(tree: Tree<T>, key: string): T | undefined {
  let node = tree;
  while (node !== undefined) {
    const here = node.item.key;
    if (key === here) return node.item;
    node = key < here ? node.left : node.right;
  }
  return undefined;
}

/** Adds the item, or replaces the one with its key. */
export function treePut<T extends Keyed>(tree: Tree<T>, item: T): TreeNode<T> {
  if (tree === undefined) return node(item, undefined, undefined);
  if (item.key === tree.item.key) return { item, left: tree.left, right: tree.right, size: tree.size };
  return item.key < tree.item.key
    ? balance(tree.item, treePut(tree.left, item), tree.right)
    : balance(tree.item, tree.left, treePut(tree.right, item));
}

/** The tree itself where the key is absent. */
export function treeRemove<T extends Keyed>(tree: Tree<T>, key: string): Tree<T> {
  if (tree === undefined) return undefined;
  if (key === tree.item.key) return join(tree.left, tree.right);
  if (key < tree.item.key) {
    const left = treeRemove(tree.left, key);
    return left === tree.left ? tree : balance(tree.item, left, tree.right);
  }
  const right = treeRemove(tree.right, key);
  return right === tree.right ? tree : balance(tree.item, tree.left, right);
}

/** How many keys come before `key`. */
export function treeRank<T extends Keyed>(tree: Tree<T>, key: string): number {
  let rank = 0;
  let node = tree;
  while (node !== undefined) {
    if (node.item.key < key) {
      rank += treeSize(node.left) + 1;
      node = node.right;
    } else {
      node = node.left;
    }
  }
  return rank;
}

/** Items with start <= key < end, in order; without `end`, to the last. */
export function* treeScan<T extends Keyed>(tree: Tree<T>, start = '', end?: string): Generator<T, void, undefined> {
  const stack: TreeNode<T>[] = [];
  let node = tree;
  while (node !== undefined) {
    if (node.item.key < start) {
      node = node.right;
    } else {
      stack.push(node);
      node = node.left;
    }
  }
  while (stack.length > 0) {
    const top = stack.pop() as TreeNode<T>;
    if (end !== undefined && top.item.key >= end) return;
    yield top.item;
    for (node = top.right; node !== undefined; node = node.left) stack.push(node);
  }
}

/** A tree of items that are sorted already, each key once. O(n), and perfectly balanced. */
export function treeFromSorted<T extends Keyed>(items: readonly T[], from = 0, to = items.length): Tree<T> {
  if (from >= to) return undefined;
  const middle = (from + to) >> 1;
  return node(items[middle], treeFromSorted(items, from, middle), treeFromSorted(items, middle + 1, to));
}

function node<T extends Keyed>(item: T, left: Tree<T>, right: Tree<T>): TreeNode<T> {
  return { item, left, right, size: treeSize(left) + treeSize(right) + 1 };
}

function balance<T extends Keyed>(item: T, left: Tree<T>, right: Tree<T>): TreeNode<T> {
  if (isTooHeavy(right, left)) return rotateLeft(item, left, right as TreeNode<T>);
  if (isTooHeavy(left, right)) return rotateRight(item, left as TreeNode<T>, right);
  return node(item, left, right);
}

function isTooHeavy<T extends Keyed>(side: Tree<T>, other: Tree<T>): boolean {
  return treeSize(side) + 1 > 3 * (treeSize(other) + 1);
}

function rotateLeft<T extends Keyed>(item: T, left: Tree<T>, right: TreeNode<T>): TreeNode<T> {
  if (isSingle(right.left, right.right)) return node(right.item, node(item, left, right.left), right.right);
  const inner = right.left as TreeNode<T>;
  return node(inner.item, node(item, left, inner.left), node(right.item, inner.right, right.right));
}

function rotateRight<T extends Keyed>(item: T, left: TreeNode<T>, right: Tree<T>): TreeNode<T> {
  if (isSingle(left.right, left.left)) return node(left.item, left.left, node(item, left.right, right));
  const inner = left.right as TreeNode<T>;
  return node(inner.item, node(left.item, left.left, inner.left), node(item, inner.right, right));
}

function isSingle<T extends Keyed>(inner: Tree<T>, outer: Tree<T>): boolean {
  return treeSize(inner) + 1 < 2 * (treeSize(outer) + 1);
}

/** Two trees of which all keys of the first come before those of the second, and neither is much the heavier. */
function join<T extends Keyed>(left: Tree<T>, right: Tree<T>): Tree<T> {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (left.size > right.size) {
    const last = treeLast(left);
    return balance(last, treeRemove(left, last.key), right);
  }
  const first = treeFirst(right);
  return balance(first, left, treeRemove(right, first.key));
}

function treeFirst<T extends Keyed>(tree: TreeNode<T>): T {
  let node = tree;
  while (node.left !== undefined) node = node.left;
  return node.item;
}

function treeLast<T extends Keyed>(tree: TreeNode<T>): T {
  let node = tree;
  while (node.right !== undefined) node = node.right;
  return node.item;
}
