import { describe, expect, test } from '@jest/globals';
import { StorageError } from '../../../../runtime/storage/errors.ts';
import type { Change, KeyValue } from '../../../../runtime/storage/kv/engine.ts';
import { GroupCommit } from '../../../../runtime/storage/mvcc/group-commit.ts';
import { listenToCommits } from '../../../support/commits.ts';

/** A disk whose commits end when the test releases them. */
class SlowMedium {
  readonly states = new Map<string, KeyValue>();
  readonly commits: { changes: readonly Change[]; finish: (error?: Error) => void }[] = [];
  #onCommit: (() => void) | undefined;

  lookup(key: string): KeyValue | undefined {
    return this.states.get(key);
  }

  commit(changes: readonly Change[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (error?: Error) => {
        if (error !== undefined) return reject(error);
        for (const { type, key, current } of changes) {
          if (type === 'put') this.states.set(key, current);
          else this.states.delete(key);
        }
        resolve();
      };
      this.commits.push({ changes, finish });
      this.#onCommit?.();
    });
  }

  async nextCommit(number: number): Promise<SlowMedium['commits'][number]> {
    while (this.commits.length < number) {
      await new Promise<void>((resolve) => {
        this.#onCommit = resolve;
      });
    }
    return this.commits[number - 1];
  }
}

const put = (key: string, expectRevision: number | 'any' = 'any') =>
  ({ type: 'put', key, value: new Uint8Array(1), expect: expectRevision }) as const;

describe('group commit', () => {
  test('writes that arrive during a commit share the next one', async () => {
    const medium = new SlowMedium();
    const group = new GroupCommit(medium, 1);
    const first = group.write(put('a'));
    const commit = await medium.nextCommit(1);
    const others = ['b', 'c', 'd'].map((key) => group.write(put(key)));
    expect(group.revision()).toBe(1);
    commit.finish();
    await first;
    expect(group.revision()).toBe(2);
    const second = await medium.nextCommit(2);
    expect(second.changes.map(({ key, revision }) => `${key}@${revision}`)).toEqual(['b@3', 'c@4', 'd@5']);
    second.finish();
    await Promise.all(others);
    expect(group.revision()).toBe(5);
  });

  test('a write is visible only when it is durable', async () => {
    const medium = new SlowMedium();
    const group = new GroupCommit(medium, 1);
    const heard: string[] = [];
    listenToCommits(group, (changes) => heard.push(`commit of ${changes.map(({ key }) => key)}`));
    const written = group.write(put('a')).then(() => heard.push('written'));
    // The rejection reveals a write that is not durable yet, so it waits too.
    const rejected = group.write(put('a', 0)).then(({ ok }) => heard.push(`rejected ${!ok}`));
    const commit = await medium.nextCommit(1);
    await new Promise(setImmediate);
    expect(heard).toEqual([]);
    commit.finish();
    await Promise.all([written, rejected]);
    expect(heard).toEqual(['commit of a', 'written', 'rejected true']);
  });

  test('a failed commit fails all writes that depend on it, and its revisions are used again', async () => {
    const medium = new SlowMedium();
    const group = new GroupCommit(medium, 1);
    const heard: number[] = [];
    listenToCommits(group, (changes) => heard.push(...changes.map(({ revision }) => revision)));
    const first = group.write(put('a', 0));
    const commit = await medium.nextCommit(1);
    const resting = group.write(put('a', 2));
    commit.finish(new Error('no space left'));
    await expect(first).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no space left'),
    });
    await expect(resting).rejects.toMatchObject({ code: 'unavailable' });
    const again = group.write(put('a', 0));
    (await medium.nextCommit(2)).finish();
    expect(await again).toMatchObject({ ok: true, change: { revision: 2 } });
    expect(heard).toEqual([2]);
  });

  test('after a permanent failure of the medium all writes are rejected', async () => {
    const group = new GroupCommit(new SlowMedium(), 1);
    group.fail(new StorageError('unavailable', 'the disk is gone'));
    await expect(group.write(put('a'))).rejects.toMatchObject({ code: 'unavailable', message: 'the disk is gone' });
  });
});
