/**
 * A persistent ordered tree: every change makes a new root and copies only the path to it, so that a root is a
 * snapshot for ever, at no cost. Subtree sizes give exact counts in O(log n).
 *
 * While nobody has seen a root there is no need to copy: nodes made under an `Edit` are changed in place by later
 * changes under the same one. Whoever hands out a root begins a new edit. (Clojure's transients)
 *
 * Weight-balanced: neither side of a node is heavier than three times the other. (Hirai and Yamamoto, Balancing
 * weight-balanced trees, 2011, with their proven parameters 3 and 2)
 */
export interface Keyed {
  /** Ordered by UTF-16 code units: see `orderKey` in keys.ts. */
  readonly orderKey: string;
}

/** Names a stretch of changes between which no root is handed out. Compared by identity. */
export type Edit = { readonly edit: true };

export function newEdit(): Edit {
  return { edit: true };
}

export interface TreeNode<T extends Keyed> {
  readonly item: T;
  readonly left: Tree<T>;
  readonly right: Tree<T>;
  readonly size: number;
  readonly edit: Edit | undefined;
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

/** The empty tree is undefined. */
export type Tree<T extends Keyed> = TreeNode<T> | undefined;

export function treeSize<T extends Keyed>(tree: Tree<T>): number {
  return tree === undefined ? 0 : tree.size;
}

export function treeGet<T extends Keyed>(tree: Tree<T>, key: string): T | undefined {
  let node = tree;
  while (node !== undefined) {
    const here = node.item.orderKey;
    if (key === here) return node.item;
    node = key < here ? node.left : node.right;
  }
  return undefined;
}

/** Adds the item, or replaces the one with its key. */
export function treePut<T extends Keyed>(tree: Tree<T>, item: T, edit?: Edit): TreeNode<T> {
  if (tree === undefined) return node(item, undefined, undefined, edit);
  if (item.orderKey === tree.item.orderKey) return change(tree, item, tree.left, tree.right, edit);
  return item.orderKey < tree.item.orderKey
    ? balance(tree, treePut(tree.left, item, edit), tree.right, edit)
    : balance(tree, tree.left, treePut(tree.right, item, edit), edit);
}

/** The tree itself where the key is absent. */
export function treeRemove<T extends Keyed>(tree: Tree<T>, key: string, edit?: Edit): Tree<T> {
  return treeGet(tree, key) === undefined ? tree : remove(tree, key, edit);
}

/** How many keys come before `key`. */
export function treeRank<T extends Keyed>(tree: Tree<T>, key: string): number {
  let rank = 0;
  let node = tree;
  while (node !== undefined) {
    if (node.item.orderKey < key) {
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
    if (node.item.orderKey < start) {
      node = node.right;
    } else {
      stack.push(node);
      node = node.left;
    }
  }
  while (stack.length > 0) {
    const top = stack.pop() as TreeNode<T>;
    if (end !== undefined && top.item.orderKey >= end) return;
    yield top.item;
    for (node = top.right; node !== undefined; node = node.left) stack.push(node);
  }
}

/** A tree of items that are sorted already, each key once. O(n), and perfectly balanced. */
export function treeFromSorted<T extends Keyed>(items: readonly T[], from = 0, to = items.length): Tree<T> {
  if (from >= to) return undefined;
  const middle = (from + to) >> 1;
  return node(items[middle], treeFromSorted(items, from, middle), treeFromSorted(items, middle + 1, to), undefined);
}

function node<T extends Keyed>(item: T, left: Tree<T>, right: Tree<T>, edit: Edit | undefined): TreeNode<T> {
  return { item, left, right, size: treeSize(left) + treeSize(right) + 1, edit };
}

/** The node with other contents: itself where this edit made it. */
function change<T extends Keyed>(
  tree: TreeNode<T>,
  item: T,
  left: Tree<T>,
  right: Tree<T>,
  edit: Edit | undefined,
): TreeNode<T> {
  if (edit === undefined || tree.edit !== edit) return node(item, left, right, edit);
  const own: Mutable<TreeNode<T>> = tree;
  own.item = item;
  own.left = left;
  own.right = right;
  own.size = treeSize(left) + treeSize(right) + 1;
  return own;
}

/** The key is there. */
function remove<T extends Keyed>(tree: Tree<T>, key: string, edit: Edit | undefined): Tree<T> {
  if (tree === undefined) return undefined;
  if (key === tree.item.orderKey) return join(tree, edit);
  return key < tree.item.orderKey
    ? balance(tree, remove(tree.left, key, edit), tree.right, edit)
    : balance(tree, tree.left, remove(tree.right, key, edit), edit);
}

/** The node with other branches, of which one is at most one heavier or lighter than before. */
function balance<T extends Keyed>(
  tree: TreeNode<T>,
  left: Tree<T>,
  right: Tree<T>,
  edit: Edit | undefined,
): TreeNode<T> {
  const { item } = tree;
  if (isTooHeavy(right, left)) return rotateLeft(item, left, right as TreeNode<T>, edit);
  if (isTooHeavy(left, right)) return rotateRight(item, left as TreeNode<T>, right, edit);
  return change(tree, item, left, right, edit);
}

function isTooHeavy<T extends Keyed>(side: Tree<T>, other: Tree<T>): boolean {
  return treeSize(side) + 1 > 3 * (treeSize(other) + 1);
}

function rotateLeft<T extends Keyed>(item: T, left: Tree<T>, right: TreeNode<T>, edit: Edit | undefined): TreeNode<T> {
  if (isSingle(right.left, right.right)) {
    return node(right.item, node(item, left, right.left, edit), right.right, edit);
  }
  const inner = right.left as TreeNode<T>;
  return node(inner.item, node(item, left, inner.left, edit), node(right.item, inner.right, right.right, edit), edit);
}

function rotateRight<T extends Keyed>(item: T, left: TreeNode<T>, right: Tree<T>, edit: Edit | undefined): TreeNode<T> {
  if (isSingle(left.right, left.left)) {
    return node(left.item, left.left, node(item, left.right, right, edit), edit);
  }
  const inner = left.right as TreeNode<T>;
  return node(inner.item, node(left.item, left.left, inner.left, edit), node(item, inner.right, right, edit), edit);
}

function isSingle<T extends Keyed>(inner: Tree<T>, outer: Tree<T>): boolean {
  return treeSize(inner) + 1 < 2 * (treeSize(outer) + 1);
}

/** The branches of a node in one tree, without its item. */
function join<T extends Keyed>(tree: TreeNode<T>, edit: Edit | undefined): Tree<T> {
  const { left, right } = tree;
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (left.size > right.size) {
    const last = treeLast(left);
    return balance(change(tree, last, left, right, edit), remove(left, last.orderKey, edit), right, edit);
  }
  const first = treeFirst(right);
  return balance(change(tree, first, left, right, edit), left, remove(right, first.orderKey, edit), edit);
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
