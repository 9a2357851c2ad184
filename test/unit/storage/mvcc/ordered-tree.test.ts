import { describe, expect, test } from '@jest/globals';
import {
  maxNodeSize,
  minNodeSize,
  newEdit,
  type Tree,
  treeFromSorted,
  treeGet,
  treePut,
  treeRank,
  treeRemove,
  treeScan,
  treeSize,
} from '../../../../runtime/storage/mvcc/ordered-tree.ts';
import { Random } from '../../../support/random.ts';

interface Item {
  readonly orderKey: string;
  readonly value: number;
}

const keys = (tree: Tree<Item>) => [...treeScan(tree)].map(({ orderKey }) => orderKey);

/** Returns the depth of an item. Throws if a node is too wide or too narrow, or its summary is wrong. */
function check(tree: Tree<Item>, isRoot = true, from = '', to?: string): number {
  if (tree === undefined) return 0;
  const width = tree.children === undefined ? tree.items.length : tree.children.length;
  const fewest = isRoot ? (tree.children === undefined ? 1 : 2) : minNodeSize;
  if (width < fewest || width > maxNodeSize) throw new Error(`${width} in a node`);
  if (tree.children === undefined) {
    const inOrder = tree.items.every(({ orderKey }, at) => at === 0 || tree.items[at - 1].orderKey < orderKey);
    const { orderKey: last } = tree.items[width - 1];
    if (!inOrder || tree.items[0].orderKey < from || (to !== undefined && last >= to)) throw new Error('out of order');
    if (tree.size !== width) throw new Error('a wrong size');
    return 1;
  }
  const { children, starts } = tree;
  if (starts.length !== width) throw new Error('not a start for each child');
  const heights = children.map((child, at) => check(child, false, at === 0 ? from : starts[at], starts[at + 1] ?? to));
  if (heights.some((height) => height !== heights[0])) throw new Error('out of balance');
  if (tree.size !== children.reduce((sum, { size }) => sum + size, 0)) throw new Error('a wrong size');
  return heights[0] + 1;
}

/** A new seed each time; `SEED=` repeats one. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('ordered tree', () => {
  test(`equals a sorted map after any operations (seed ${seed})`, () => {
    const random = new Random(seed);
    const map = new Map<string, number>();
    let tree: Tree<Item>;
    // grows to some thousands of keys on three levels, and shrinks to a few, more than once
    for (const share of [0.1, 0.9, 0.2, 0.95]) {
      for (let step = 0; step < 8000; step += 1) {
        const key = `k${random.between(0, 6000)}`;
        if (random.chance(share)) {
          map.delete(key);
          tree = treeRemove(tree, key);
        } else {
          map.set(key, step);
          tree = treePut(tree, { orderKey: key, value: step });
        }
        if (step % 400 !== 0) continue;
        const want = [...map.keys()].sort();
        check(tree);
        expect(treeSize(tree)).toBe(map.size);
        expect(keys(tree)).toEqual(want);
        expect(treeGet(tree, key)?.value).toBe(map.get(key));
        const [low, high] = [`k${random.between(0, 6000)}`, `k${random.between(0, 6000)}`].sort();
        expect([...treeScan(tree, low, high)].map((item) => item.orderKey)).toEqual(want.filter((other) => other >= low && other < high));
        expect(treeRank(tree, low)).toBe(want.filter((other) => other < low).length);
      }
    }
    for (const key of map.keys()) tree = treeRemove(tree, key);
    expect(tree).toBeUndefined();
  });

  test(`an edit changes only nodes that it created (seed ${seed})`, () => {
    const random = new Random(seed);
    let edit = newEdit();
    let tree: Tree<Item>;
    const kept: { tree: Tree<Item>; want: string }[] = [];
    const show = (some: Tree<Item>) => [...treeScan(some)].map(({ orderKey, value }) => `${orderKey}=${value}`).join();
    for (let step = 0; step < 12_000; step += 1) {
      const key = `k${random.between(0, 1500)}`;
      const isRemoved = random.chance(step % 6000 < 3000 ? 0.2 : 0.8);
      tree = isRemoved ? treeRemove(tree, key, edit) : treePut(tree, { orderKey: key, value: step }, edit);
      if (!random.chance(0.01)) continue;
      check(tree);
      kept.push({ tree, want: show(tree) });
      edit = newEdit();
    }
    for (const { tree: old, want } of kept) expect(show(old)).toBe(want);
  });

  test('stays balanced when keys arrive in order', () => {
    let tree: Tree<Item>;
    for (let at = 0; at < 10_000; at += 1) tree = treePut(tree, { orderKey: String(at).padStart(6, '0'), value: at });
    expect(check(tree)).toBeLessThan(5);
  });

  test('a root is a snapshot', () => {
    const before = treeFromSorted(['a', 'b', 'c'].map((key) => ({ orderKey: key, value: 0 })));
    const after = treeRemove(treePut(before, { orderKey: 'bb', value: 1 }), 'a');
    expect(keys(before)).toEqual(['a', 'b', 'c']);
    expect(keys(after)).toEqual(['b', 'bb', 'c']);
  });

  test('removing an absent key changes nothing', () => {
    const tree = treeFromSorted(['a', 'b', 'c'].map((key) => ({ orderKey: key, value: 0 })));
    expect(treeRemove(tree, 'aa')).toBe(tree);
    expect(treeRemove(undefined, 'a')).toBeUndefined();
  });

  test('built from sorted items it is balanced', () => {
    for (const size of [0, 1, 2, 48, 49, 1000, 2304, 2305, 10_000]) {
      const items = Array.from({ length: size }, (_, at) => ({ orderKey: String(at).padStart(5, '0'), value: at }));
      const tree = treeFromSorted(items);
      expect(check(tree)).toBe(size === 0 ? 0 : size <= 48 ? 1 : size <= 48 * 48 ? 2 : 3);
      expect([...treeScan(tree)]).toEqual(items);
    }
  });
});
