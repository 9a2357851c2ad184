import { describe, expect, test } from '@jest/globals';
import { FairQueue } from '../../../../runtime/server/workers/fair-queue.ts';

const everyone = (_user: string): boolean => true;

function queueOf(...items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.add(item[0], item);
  return queue;
}

function drain(queue: FairQueue<string>, mayHaveTurn = everyone): string[] {
  const taken: string[] = [];
  for (let next = queue.take(mayHaveTurn); next !== undefined; next = queue.take(mayHaveTurn)) taken.push(next);
  return taken;
}

describe('a fair queue', () => {
  test.each([
    ['one user is served in order', ['a1', 'a2', 'a3'], ['a1', 'a2', 'a3']],
    ['users take turns, even if one has much more work', ['a1', 'a2', 'a3', 'b1', 'c1'], ['a1', 'b1', 'c1', 'a2', 'a3']],
    ['a user who arrives later has a turn in the next round', ['a1', 'a2', 'b1', 'b2'], ['a1', 'b1', 'a2', 'b2']],
  ])('%s', (_title, given, want) => {
    const queue = queueOf(...given);
    expect(drain(queue)).toEqual(want);
    expect(queue.size).toBe(0);
  });

  test('skips a user who has no turn now, and keeps the queued work of that user', () => {
    const queue = queueOf('a1', 'b1', 'a2', 'b2');
    expect(drain(queue, (user) => user !== 'a')).toEqual(['b1', 'b2']);
    expect(queue.size).toBe(2);
    expect(drain(queue)).toEqual(['a1', 'a2']);
  });

  test('removes an item once', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    expect(queue.remove('a', 'a1')).toBe(true);
    expect(queue.remove('a', 'a1')).toBe(false);
    expect(queue.remove('b', 'b1')).toBe(true);
    expect(queue.remove('c', 'c1')).toBe(false);
    expect(drain(queue)).toEqual(['a2']);
  });
});
