import { describe, expect, test } from '@jest/globals';
import {
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

/** The height of a balanced tree; throws where it is not one, or not in order. */
function check(tree: Tree<Item>): number {
  if (tree === undefined) return 0;
  const [left, right] = [treeSize(tree.left) + 1, treeSize(tree.right) + 1];
  if (left > 3 * right || right > 3 * left) throw new Error(`out of balance: ${left} and ${right}`);
  if (tree.size !== left + right - 1) throw new Error('a wrong size');
  return 1 + Math.max(check(tree.left), check(tree.right));
}

describe('ordered tree', () => {
  test('holds what a sorted map holds, whatever is done to it', () => {
    const random = new Random(7);
    const map = new Map<string, number>();
    let tree: Tree<Item>;
    for (let step = 0; step < 4000; step += 1) {
      const key = `k${random.between(0, 300)}`;
      if (random.chance(step < 2000 ? 0.3 : 0.6)) {
        map.delete(key);
        tree = treeRemove(tree, key);
      } else {
        map.set(key, step);
        tree = treePut(tree, { orderKey: key, value: step });
      }
      if (step % 40 !== 0) continue;
      const want = [...map.keys()].sort();
      check(tree);
      expect(keys(tree)).toEqual(want);
      expect(treeGet(tree, key)?.value).toBe(map.get(key));
      const [low, high] = [`k${random.between(0, 300)}`, `k${random.between(0, 300)}`].sort();
      expect([...treeScan(tree, low, high)].map((item) => item.orderKey)).toEqual(
        want.filter((other) => other >= low && other < high),
      );
      expect(treeRank(tree, low)).toBe(want.filter((other) => other < low).length);
    }
  });

  test('an edit changes only what it made itself', () => {
    const random = new Random(5);
    let edit = newEdit();
    let tree: Tree<Item>;
    const kept: { tree: Tree<Item>; want: string }[] = [];
    const show = (some: Tree<Item>) => [...treeScan(some)].map(({ orderKey, value }) => `${orderKey}=${value}`).join();
    for (let step = 0; step < 3000; step += 1) {
      const key = `k${random.between(0, 200)}`;
      tree = random.chance(0.4) ? treeRemove(tree, key, edit) : treePut(tree, { orderKey: key, value: step }, edit);
      if (!random.chance(0.02)) continue;
      check(tree);
      kept.push({ tree, want: show(tree) });
      edit = newEdit();
    }
    for (const { tree: old, want } of kept) expect(show(old)).toBe(want);
  });

  test('stays low when keys come in order', () => {
    let tree: Tree<Item>;
    for (let at = 0; at < 10_000; at += 1) tree = treePut(tree, { orderKey: String(at).padStart(6, '0'), value: at });
    expect(check(tree)).toBeLessThan(30);
  });

  test('a root is a snapshot', () => {
    const before = treeFromSorted(['a', 'b', 'c'].map((key) => ({ orderKey: key, value: 0 })));
    const after = treeRemove(treePut(before, { orderKey: 'bb', value: 1 }), 'a');
    expect(keys(before)).toEqual(['a', 'b', 'c']);
    expect(keys(after)).toEqual(['b', 'bb', 'c']);
  });

  test('removing what is not there changes nothing', () => {
    const tree = treeFromSorted(['a', 'b', 'c'].map((key) => ({ orderKey: key, value: 0 })));
    expect(treeRemove(tree, 'aa')).toBe(tree);
    expect(treeRemove(undefined, 'a')).toBeUndefined();
  });

  test('made of sorted items it is balanced', () => {
    for (const size of [0, 1, 2, 3, 10, 1000]) {
      const items = Array.from({ length: size }, (_, at) => ({ orderKey: String(at).padStart(5, '0'), value: at }));
      const tree = treeFromSorted(items);
      expect(check(tree)).toBe(size === 0 ? 0 : Math.floor(Math.log2(size)) + 1);
      expect([...treeScan(tree)]).toEqual(items);
    }
  });
});
