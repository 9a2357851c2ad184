import { describe, expect, test } from '@jest/globals';
import { SeededRandom } from '../../../../runtime/testkit/random/seeded-random.ts';

describe('randomness with a seed', () => {
  test('is the same for the same things, in whatever order they are asked for', () => {
    const [a, b] = [new SeededRandom(7), new SeededRandom(7)];
    const first = [a.uuid('pods', 'default', 'x'), a.float('jitter'), a.bytes(40, 'key'), a.uuid('pods', 'default', 'y')];
    const y = b.uuid('pods', 'default', 'y');
    expect([b.uuid('pods', 'default', 'x'), b.float('jitter'), b.bytes(40, 'key'), y]).toEqual(first);
  });

  test('is another for another seed, another thing, and each time', () => {
    const random = new SeededRandom(7);
    const values = [
      random.uuid('pods', 'a', 'b'),
      random.uuid('pods', 'a', 'b'),
      random.uuid('pods', 'ab'),
      random.uuid('pods', '', 'ab'),
      new SeededRandom(8).uuid('pods', 'a', 'b'),
    ];
    expect(new Set(values).size).toBe(values.length);
    expect(random.float('jitter')).not.toBe(random.float('jitter'));
  });

  test('makes UUIDs of version 4', () => {
    expect(new SeededRandom(1).uuid('pods')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('goes on in a fork as it would have', () => {
    const random = new SeededRandom(3);
    random.uuid('pods');
    const fork = random.fork();
    expect(fork.uuid('pods')).toBe(random.uuid('pods'));
  });
});
