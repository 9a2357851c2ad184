import { describe, expect, test } from '@jest/globals';
import type { Change } from '../../../../runtime/storage/kv/engine.ts';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';
import type { ReplayedChange } from '../../../../runtime/storage/memory/replaying.ts';

const put = (key: string, revision: number, createRevision?: number): ReplayedChange => ({
  type: 'put',
  key,
  revision,
  createRevision,
  value: Buffer.from(`${key}@${revision}`),
});
const remove = (key: string, revision: number): ReplayedChange => ({
  type: 'delete',
  key,
  revision,
  value: new Uint8Array(0),
});

const plain = ({ type, key, revision, current, previous }: Change) => [type, key, revision, current.createRevision, previous?.modRevision];

describe('a memory engine that replays changes', () => {
  test('has them at their revisions, several at one if need be', async () => {
    const engine = createMemoryEngine();
    const heard: Change[] = [];
    engine.listen({ onCommit: (changes) => heard.push(...changes), onLost: () => undefined });
    await engine.replay([put('a', 5, 3), put('b', 5), put('a', 7), remove('b', 9)], 12);
    expect(engine.revision()).toBe(12);
    expect(heard.map(plain)).toEqual([
      ['put', 'a', 5, 3, undefined],
      ['put', 'b', 5, 5, undefined],
      ['put', 'a', 7, 3, 5],
      ['delete', 'b', 9, 5, 5],
    ]);
    expect((await engine.range('a', 'z', { revision: 6 })).items.map(({ modRevision }) => modRevision)).toEqual([5, 5]);
    expect(await engine.write({ type: 'put', key: 'a', value: Buffer.from('x'), expect: 7 })).toMatchObject({
      ok: true,
      change: { revision: 13 },
    });
  });

  test.each([
    ['an older revision', [put('a', 4)], 'is older than what is there'],
    ['revisions that go back', [put('a', 8), put('b', 7)], 'is older than what is there'],
    ['a deletion of what is not there', [remove('a', 8)], 'deletes what is not there'],
  ])('refuses %s', async (_, changes, message) => {
    const engine = createMemoryEngine();
    await engine.replay([], 5);
    expect(() => engine.replay(changes, 0)).toThrow(message);
    expect(engine.revision()).toBe(5);
  });
});
