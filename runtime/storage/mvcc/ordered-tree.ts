/**
 * A persistent B+ tree. Every change makes a new root and only copies the path to the changed leaf, so every root is a
 * snapshot that stays valid. Subtree sizes give exact counts in O(log n). Leaves hold some dozens of items, so the tree
 * costs about 14 bytes for each item.
 *
 * A root that is not shared need not be copied: changes under the same `Edit` modify the nodes that the edit created in
 * place. Code that shares a root begins a new edit. (Clojure's transients)
 */
export interface Keyed {
  /** The key in the order of UTF-16 code units: see `orderKey` in keys.ts. */
  readonly orderKey: string;
}

/** The identity of a series of changes during which no root is shared. */
export type Edit = { readonly edit: true };

export function newEdit(): Edit {
  return { edit: true };
}

interface Leaf<T extends Keyed> {
  items: T[];
  readonly children: undefined;
  readonly starts: undefined;
  size: number;
  readonly edit: Edit | undefined;
}

interface Branch<T extends Keyed> {
  readonly items: undefined;
  children: TreeNode<T>[];
  /** starts[i] is at most the first key of child i and greater than all keys of the child before. starts[0] is unused. */
  starts: string[];
  /** The number of items in the subtree. */
  size: number;
  readonly edit: Edit | undefined;
}

export type TreeNode<T extends Keyed> = Leaf<T> | Branch<T>;

/** The empty tree is undefined. */
export type Tree<T extends Keyed> = TreeNode<T> | undefined;

/** The most items or children of a node. V8 gives arrays that were halved this capacity when they grow. */
export const maxNodeSize = 64;
/** The fewest items or children of a node, except of the root and of the nodes of small trees. */
export const minNodeSize = 16;
/** The target size of new nodes: neither about to be split nor about to be merged. */
const targetNodeSize = 48;

export function treeSize<T extends Keyed>(tree: Tree<T>): number {
  return tree === undefined ? 0 : tree.size;
}

export function treeGet<T extends Keyed>(tree: Tree<T>, key: string): T | undefined {
  if (tree === undefined) return undefined;
  let node = tree;
  while (node.children !== undefined) node = childOf(node, childAt(node, key));
  const item = node.items[itemAt(node, key)];
  return item !== undefined && item.orderKey === key ? item : undefined;
}

/** Inserts the item, or replaces the one with the same key. */
export function treePut<T extends Keyed>(tree: Tree<T>, item: T, edit?: Edit): TreeNode<T> {
  if (tree === undefined) return leaf([item], edit);
  const root = put(tree, item, edit);
  if (width(root) <= maxNodeSize) return root;
  const right = splitOff(root);
  return branch([root, right.node], ['', right.start], edit);
}

/** Returns the same tree if the key is absent. */
export function treeRemove<T extends Keyed>(tree: Tree<T>, key: string, edit?: Edit): Tree<T> {
  if (tree === undefined || treeGet(tree, key) === undefined) return tree;
  const root = remove(tree, key, edit);
  if (root.size === 0) return undefined;
  return root.children?.length === 1 ? root.children[0] : root;
}

/** Returns the number of keys before `key`. */
export function treeRank<T extends Keyed>(tree: Tree<T>, key: string): number {
  if (tree === undefined) return 0;
  let rank = 0;
  let node = tree;
  while (node.children !== undefined) {
    const to = childAt(node, key);
    for (let at = 0; at < to; at += 1) rank += childOf(node, at).size;
    node = childOf(node, to);
  }
  return rank + itemAt(node, key);
}

/** Yields the items with start <= key < end, in order. Without `end`, there is no upper bound. */
export function* treeScan<T extends Keyed>(tree: Tree<T>, start = '', end?: string): Generator<T, void, undefined> {
  if (tree === undefined) return;
  const path: { node: Branch<T>; at: number }[] = [];
  let node = tree;
  while (node.children !== undefined) {
    const at = childAt(node, start);
    path.push({ node, at });
    node = childOf(node, at);
  }
  for (let from = itemAt(node, start); ; from = 0) {
    for (const item of from === 0 ? node.items : node.items.slice(from)) {
      if (end !== undefined && item.orderKey >= end) return;
      yield item;
    }
    let turn = path.at(-1);
    while (turn !== undefined && turn.at + 1 === turn.node.children.length) {
      path.pop();
      turn = path.at(-1);
    }
    if (turn === undefined) return;
    turn.at += 1;
    let next = childOf(turn.node, turn.at);
    for (; next.children !== undefined; next = childOf(next, 0)) path.push({ node: next, at: 0 });
    node = next;
  }
}

/** Builds a tree from sorted items with distinct keys. O(n). */
export function treeFromSorted<T extends Keyed>(items: readonly T[]): Tree<T> {
  if (items.length === 0) return undefined;
  const leaves = evenParts(items).map((part) => leaf(part, undefined));
  let nodes: TreeNode<T>[] = leaves;
  let starts = leaves.map(startOf);
  while (nodes.length > 1) {
    const startParts = evenParts(starts);
    nodes = evenParts(nodes).map((part, at) => branch(part, startParts[at] ?? [], undefined));
    starts = startParts.map(([first = '']) => first);
  }
  return nodes[0];
}

function leaf<T extends Keyed>(items: T[], edit: Edit | undefined): Leaf<T> {
  return { items, children: undefined, starts: undefined, size: items.length, edit };
}

function branch<T extends Keyed>(children: TreeNode<T>[], starts: string[], edit: Edit | undefined): Branch<T> {
  let size = 0;
  for (const child of children) size += child.size;
  return { items: undefined, children, starts, size, edit };
}

function width<T extends Keyed>(node: TreeNode<T>): number {
  return node.children === undefined ? node.items.length : node.children.length;
}

function childOf<T extends Keyed>({ children }: Branch<T>, at: number): TreeNode<T> {
  const child = children[at];
  if (child === undefined) throw new RangeError(`no child ${at} in a node of ${children.length}`);
  return child;
}

/** The first key of a leaf. */
const startOf = <T extends Keyed>({ items: [first] }: Leaf<T>): string => first?.orderKey ?? '';

/** Returns the index of the child that would contain the key. */
function childAt<T extends Keyed>({ starts }: Branch<T>, key: string): number {
  let low = 1;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = starts[middle];
    if (start !== undefined && start <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the index of the key, or of its place. */
function itemAt<T extends Keyed>({ items }: Leaf<T>, key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && item.orderKey < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a node that may be modified: the node itself if this edit created it, else a copy. */
function own<T extends Keyed>(node: Leaf<T>, edit: Edit | undefined): Leaf<T>;
function own<T extends Keyed>(node: Branch<T>, edit: Edit | undefined): Branch<T>;
function own<T extends Keyed>(node: TreeNode<T>, edit: Edit | undefined): TreeNode<T> {
  if (edit !== undefined && node.edit === edit) return node;
  if (node.children === undefined) return leaf(node.items.slice(), edit);
  return { items: undefined, children: node.children.slice(), starts: node.starts.slice(), size: node.size, edit };
}

/** Returns a node that this edit owns; it may have one item or child too many. */
function put<T extends Keyed>(node: TreeNode<T>, item: T, edit: Edit | undefined): TreeNode<T> {
  const key = item.orderKey;
  if (node.children === undefined) {
    const at = itemAt(node, key);
    const isThere = node.items[at]?.orderKey === key;
    const changed = own(node, edit);
    changed.items.splice(at, isThere ? 1 : 0, item);
    changed.size = changed.items.length;
    return changed;
  }
  const at = childAt(node, key);
  const before = childOf(node, at);
  const { size } = before;
  const child = put(before, item, edit);
  const changed = own(node, edit);
  changed.children[at] = child;
  changed.size += child.size - size;
  if (width(child) > maxNodeSize) {
    const right = splitOff(child);
    changed.children.splice(at + 1, 0, right.node);
    changed.starts.splice(at + 1, 0, right.start);
  }
  return changed;
}

/** Moves half of an owned node to a new node. */
function splitOff<T extends Keyed>(node: TreeNode<T>): { node: TreeNode<T>; start: string } {
  const half = width(node) >>> 1;
  if (node.children === undefined) {
    const right = leaf(node.items.slice(half), node.edit);
    node.items = node.items.slice(0, half);
    node.size = half;
    return { node: right, start: startOf(right) };
  }
  const right = branch(node.children.slice(half), node.starts.slice(half), node.edit);
  node.children = node.children.slice(0, half);
  node.starts = node.starts.slice(0, half);
  node.size -= right.size;
  return { node: right, start: right.starts[0] ?? '' };
}

/** Removes an existing key. Returns a node that this edit owns; it may have one item or child too few. */
function remove<T extends Keyed>(node: TreeNode<T>, key: string, edit: Edit | undefined): TreeNode<T> {
  if (node.children === undefined) {
    const changed = own(node, edit);
    changed.items.splice(itemAt(changed, key), 1);
    changed.size -= 1;
    return changed;
  }
  const at = childAt(node, key);
  const child = remove(childOf(node, at), key, edit);
  const changed = own(node, edit);
  changed.children[at] = child;
  changed.size -= 1;
  if (width(child) < minNodeSize && changed.children.length > 1) mergeOrBalance(changed, Math.max(0, at - 1));
  return changed;
}

/** Merges two adjacent children of an owned parent, or balances them if they are too large for one node. */
function mergeOrBalance<T extends Keyed>(parent: Branch<T>, at: number): void {
  const { children, starts, edit } = parent;
  const [left, right] = [childOf(parent, at), childOf(parent, at + 1)];
  let both: TreeNode<T>;
  if (left.children === undefined || right.children === undefined) {
    both = leaf([...(left as Leaf<T>).items, ...(right as Leaf<T>).items], edit);
  } else {
    const below = [...left.starts, starts[at + 1] ?? '', ...right.starts.slice(1)];
    both = branch([...left.children, ...right.children], below, edit);
  }
  if (width(both) <= targetNodeSize) {
    children.splice(at, 2, both);
    starts.splice(at + 1, 1);
    return;
  }
  const half = splitOff(both);
  children.splice(at, 2, both, half.node);
  starts[at + 1] = half.start;
}

/** Splits into the fewest parts of at most the target size, all of about equal size. */
function evenParts<E>(all: readonly E[]): E[][] {
  const count = Math.ceil(all.length / targetNodeSize);
  return Array.from({ length: count }, (_, at) =>
    all.slice(Math.floor((at * all.length) / count), Math.floor(((at + 1) * all.length) / count)),
  );
}
