import { expect, test } from '@jest/globals';
import type { CachedObject } from '../../../../runtime/storage/cache/cached-object.ts';
import { History, ObjectChange } from '../../../../runtime/storage/cache/history.ts';
import { type Tree, treePut, treeRemove, treeScan } from '../../../../runtime/storage/mvcc/ordered-tree.ts';
import { Random } from '../../../support/random.ts';

/** Returns an object with the fields that the history reads. */
const objectAt = (orderKey: string, revision: number) => ({ orderKey, revision }) as unknown as CachedObject;

const keysOf = (root: Tree<CachedObject>): string[] => [...treeScan(root)].map(({ orderKey, revision }) => `${orderKey}@${revision}`);

test('a long history that was loaded has the objects at each revision', async () => {
  const random = new Random(5);
  const history = new History();
  const changes = 20_000;
  const states = new Map<string, CachedObject>();
  const wanted = new Map<number, string[]>();
  let root: Tree<CachedObject>;
  for (let revision = 1; revision <= changes; revision += 1) {
    const key = `key-${random.between(10, 40)}`;
    const previous = states.get(key);
    const current = previous !== undefined && random.chance(0.3) ? undefined : objectAt(key, revision);
    if (current === undefined) states.delete(key);
    else states.set(key, current);
    root = current === undefined ? treeRemove(root, key) : treePut(root, current);
    history.pushLoaded(new ObjectChange(revision, current, previous));
    if (revision % 977 === 0) wanted.set(revision, keysOf(root));
  }
  const loading = history.addLoadedCheckpoints(root);
  // during the creation of checkpoints
  history.discardBefore(900);
  await loading;
  for (const [revision, want] of wanted) expect(keysOf(history.treeAt(revision, root).root)).toEqual(want);
});
