import { describe, expect, test } from '@jest/globals';
import { newEdit, type Tree, treePut, treeRemove, treeScan } from '../../../../runtime/storage/mvcc/ordered-tree.ts';
import { treeDifference } from '../../../../runtime/storage/mvcc/tree-difference.ts';
import { Random } from '../../../support/random.ts';

interface Item {
  readonly orderKey: string;
}

/** A new seed each time; `SEED=` repeats one. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Returns the differences by comparing all items. */
function expected(before: Tree<Item>, after: Tree<Item>) {
  const olds = new Map([...treeScan(before)].map((item) => [item.orderKey, item]));
  const news = new Map([...treeScan(after)].map((item) => [item.orderKey, item]));
  return [...new Set([...olds.keys(), ...news.keys()])]
    .sort()
    .map((key) => ({ before: olds.get(key), after: news.get(key) }))
    .filter((pair) => pair.before !== pair.after);
}

function changed(tree: Tree<Item>, count: number, removed: number, random: Random): Tree<Item> {
  const edit = newEdit();
  let root = tree;
  for (let step = 0; step < count; step += 1) {
    const orderKey = `k${random.between(0, 8000)}`;
    root = random.chance(removed) ? treeRemove(root, orderKey, edit) : treePut(root, { orderKey }, edit);
  }
  return root;
}

describe('difference of trees', () => {
  test(`has each key that differs, in order, whatever the shapes of the trees (seed ${seed})`, () => {
    const random = new Random(seed);
    const base = changed(undefined, 6000, 0, random);
    for (const [count, removed] of [
      [0, 0],
      [1, 0],
      [30, 0.5],
      [5000, 0.2],
      [9000, 0.95],
    ]) {
      const other = changed(base, count, removed, random);
      expect([...treeDifference(base, other)]).toEqual(expected(base, other));
      expect([...treeDifference(other, base)]).toEqual(expected(other, base));
    }
    expect([...treeDifference(base, undefined)]).toEqual(expected(base, undefined));
    expect([...treeDifference(undefined, base)]).toEqual(expected(undefined, base));
  });

  test('does not look at what both trees share', () => {
    let looks = 0;
    const items = Array.from({ length: 20_000 }, (_, at) => ({
      get orderKey() {
        looks += 1;
        return `k${String(at).padStart(6, '0')}`;
      },
    }));
    const base = items.reduce<Tree<Item>>((tree, item) => treePut(tree, item), undefined);
    const other = treePut(base, { orderKey: 'k010000a' });
    looks = 0;
    expect([...treeDifference(base, other)]).toHaveLength(1);
    expect(looks).toBeLessThan(1500);
  });
});
