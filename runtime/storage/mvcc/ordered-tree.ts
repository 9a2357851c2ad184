/**
 * A persistent ordered tree: every change makes a new root and copies only the path to it, so that a root is a
 * snapshot for ever, at no cost. Subtree sizes give exact counts in O(log n).
 *
 * While nobody has seen a root there is no need to copy: nodes made under an `Edit` are changed in place by later
 * changes under the same one. Whoever hands out a root begins a new edit. (Clojure's transients)
 *
 * A B+ tree: items are in the leaves, some dozens in each, so that an item costs about 14 bytes of tree.
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
  /** No key in a child is before its start, none in the child before it is behind. The first is never looked at. */
  starts: string[];
  /** How many items are below. */
  size: number;
  readonly edit: Edit | undefined;
}

export type TreeNode<T extends Keyed> = Leaf<T> | Branch<T>;

/** The empty tree is undefined. */
export type Tree<T extends Keyed> = TreeNode<T> | undefined;

/** How many items or children a node has at most. An array that was cut in half has room for as many when it grows. */
export const mostInNode = 64;
/** At least, but in a root, or in a tree of few items. */
export const fewestInNode = 16;
/** As many are put together: between a node that is split by the next item and one that is too empty. */
const goodInNode = 48;

export function treeSize<T extends Keyed>(tree: Tree<T>): number {
  return tree === undefined ? 0 : tree.size;
}

export function treeGet<T extends Keyed>(tree: Tree<T>, key: string): T | undefined {
  if (tree === undefined) return undefined;
  let node = tree;
  while (node.children !== undefined) node = node.children[childAt(node, key)];
  const item = node.items[itemAt(node, key)];
  return item !== undefined && item.orderKey === key ? item : undefined;
}

/** Adds the item, or replaces the one with its key. */
export function treePut<T extends Keyed>(tree: Tree<T>, item: T, edit?: Edit): TreeNode<T> {
  if (tree === undefined) return leaf([item], edit);
  const root = put(tree, item, edit);
  if (width(root) <= mostInNode) return root;
  const right = splitOff(root);
  return branch([root, right.node], ['', right.start], edit);
}

/** The tree itself where the key is absent. */
export function treeRemove<T extends Keyed>(tree: Tree<T>, key: string, edit?: Edit): Tree<T> {
  if (tree === undefined || treeGet(tree, key) === undefined) return tree;
  const root = remove(tree, key, edit);
  if (root.size === 0) return undefined;
  return root.children?.length === 1 ? root.children[0] : root;
}

/** How many keys come before `key`. */
export function treeRank<T extends Keyed>(tree: Tree<T>, key: string): number {
  if (tree === undefined) return 0;
  let rank = 0;
  let node = tree;
  while (node.children !== undefined) {
    const to = childAt(node, key);
    for (let at = 0; at < to; at += 1) rank += node.children[at].size;
    node = node.children[to];
  }
  return rank + itemAt(node, key);
}

/** Items with start <= key < end, in order; without `end`, to the last. */
export function* treeScan<T extends Keyed>(tree: Tree<T>, start = '', end?: string): Generator<T, void, undefined> {
  if (tree === undefined) return;
  const path: { node: Branch<T>; at: number }[] = [];
  let node = tree;
  while (node.children !== undefined) {
    const at = childAt(node, start);
    path.push({ node, at });
    node = node.children[at];
  }
  for (let from = itemAt(node, start); ; from = 0) {
    const { items } = node;
    for (let at = from; at < items.length; at += 1) {
      if (end !== undefined && items[at].orderKey >= end) return;
      yield items[at];
    }
    while (path.length > 0 && path[path.length - 1].at + 1 === path[path.length - 1].node.children.length) path.pop();
    if (path.length === 0) return;
    const turn = path[path.length - 1];
    turn.at += 1;
    let next = turn.node.children[turn.at];
    for (; next.children !== undefined; next = next.children[0]) path.push({ node: next, at: 0 });
    node = next;
  }
}

/** A tree of items that are sorted already, each key once. O(n), and evenly filled. */
export function treeFromSorted<T extends Keyed>(items: readonly T[]): Tree<T> {
  if (items.length === 0) return undefined;
  let nodes: TreeNode<T>[] = evenParts(items).map((part) => leaf(part, undefined));
  let starts = nodes.map((node) => (node as Leaf<T>).items[0].orderKey);
  while (nodes.length > 1) {
    const startParts = evenParts(starts);
    nodes = evenParts(nodes).map((part, at) => branch(part, startParts[at], undefined));
    starts = startParts.map(([first]) => first);
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

/** Which child the key is in, if any. */
function childAt<T extends Keyed>({ starts }: Branch<T>, key: string): number {
  let low = 1;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Where the key is, or would be. */
function itemAt<T extends Keyed>({ items }: Leaf<T>, key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (items[middle].orderKey < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The node where this edit made it, else a copy: what may be changed. */
function own<T extends Keyed>(node: Leaf<T>, edit: Edit | undefined): Leaf<T>;
function own<T extends Keyed>(node: Branch<T>, edit: Edit | undefined): Branch<T>;
function own<T extends Keyed>(node: TreeNode<T>, edit: Edit | undefined): TreeNode<T> {
  if (edit !== undefined && node.edit === edit) return node;
  if (node.children === undefined) return leaf(node.items.slice(), edit);
  return { items: undefined, children: node.children.slice(), starts: node.starts.slice(), size: node.size, edit };
}

/** Gives a node of this edit's own, which may be one too wide. */
function put<T extends Keyed>(node: TreeNode<T>, item: T, edit: Edit | undefined): TreeNode<T> {
  const key = item.orderKey;
  if (node.children === undefined) {
    const at = itemAt(node, key);
    const isThere = at < node.items.length && node.items[at].orderKey === key;
    const changed = own(node, edit);
    changed.items.splice(at, isThere ? 1 : 0, item);
    changed.size = changed.items.length;
    return changed;
  }
  const at = childAt(node, key);
  const before = node.children[at].size;
  const child = put(node.children[at], item, edit);
  const changed = own(node, edit);
  changed.children[at] = child;
  changed.size += child.size - before;
  if (width(child) > mostInNode) {
    const right = splitOff(child);
    changed.children.splice(at + 1, 0, right.node);
    changed.starts.splice(at + 1, 0, right.start);
  }
  return changed;
}

/** Takes half out of a node that is somebody's own. */
function splitOff<T extends Keyed>(node: TreeNode<T>): { node: TreeNode<T>; start: string } {
  const half = width(node) >>> 1;
  if (node.children === undefined) {
    const right = leaf(node.items.slice(half), node.edit);
    node.items = node.items.slice(0, half);
    node.size = half;
    return { node: right, start: right.items[0].orderKey };
  }
  const right = branch(node.children.slice(half), node.starts.slice(half), node.edit);
  node.children = node.children.slice(0, half);
  node.starts = node.starts.slice(0, half);
  node.size -= right.size;
  return { node: right, start: right.starts[0] };
}

/** The key is there. Gives a node of this edit's own, which may be one too narrow. */
function remove<T extends Keyed>(node: TreeNode<T>, key: string, edit: Edit | undefined): TreeNode<T> {
  if (node.children === undefined) {
    const changed = own(node, edit);
    changed.items.splice(itemAt(changed, key), 1);
    changed.size -= 1;
    return changed;
  }
  const at = childAt(node, key);
  const child = remove(node.children[at], key, edit);
  const changed = own(node, edit);
  changed.children[at] = child;
  changed.size -= 1;
  if (width(child) < fewestInNode && changed.children.length > 1) level(changed, Math.max(0, at - 1));
  return changed;
}

/** Makes one good child of two, or two that are as wide. The parent is somebody's own. */
function level<T extends Keyed>(parent: Branch<T>, at: number): void {
  const { children, starts, edit } = parent;
  const [left, right] = [children[at], children[at + 1]];
  let both: TreeNode<T>;
  if (left.children === undefined || right.children === undefined) {
    both = leaf([...(left as Leaf<T>).items, ...(right as Leaf<T>).items], edit);
  } else {
    const below = [...left.starts, starts[at + 1], ...right.starts.slice(1)];
    both = branch([...left.children, ...right.children], below, edit);
  }
  if (width(both) <= goodInNode) {
    children.splice(at, 2, both);
    starts.splice(at + 1, 1);
    return;
  }
  const half = splitOff(both);
  children.splice(at, 2, both, half.node);
  starts[at + 1] = half.start;
}

/** In as few parts as are not too wide, none much smaller than another. */
function evenParts<E>(all: readonly E[]): E[][] {
  const count = Math.ceil(all.length / goodInNode);
  return Array.from({ length: count }, (_, at) =>
    all.slice(Math.floor((at * all.length) / count), Math.floor(((at + 1) * all.length) / count)),
  );
}
