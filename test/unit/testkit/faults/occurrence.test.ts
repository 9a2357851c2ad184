import { describe, expect, test } from '@jest/globals';
import type { FaultOccurrence } from '../../../../runtime/testkit/faults/fault-plan.ts';
import { Occurrence } from '../../../../runtime/testkit/faults/occurrence.ts';

/** Returns the hits among `count` requests, as `-xx-`. */
function hitsOf(given: FaultOccurrence | undefined, count: number): string {
  const occurrence = new Occurrence(given);
  return Array.from({ length: count }, () => (occurrence.next() ? 'x' : '-')).join('');
}

describe('of the matching requests', () => {
  test.each<[given: FaultOccurrence | undefined, want: string]>([
    [undefined, 'xxxxx'],
    [{ skip: 2 }, '--xxx'],
    [{ count: 2 }, 'xx---'],
    [{ skip: 1, count: 2 }, '-xx--'],
    [{ probability: '0' }, '-----'],
    [{ probability: '1.0', count: 1 }, 'x----'],
  ])('%j hits', (given, want) => {
    expect(hitsOf(given, 5)).toBe(want);
  });

  test('a seed hits the same ones each time, another seed hits others', () => {
    const given = { probability: '0.5', seed: 1 };
    expect(hitsOf(given, 100)).toBe(hitsOf(given, 100));
    expect(hitsOf(given, 100)).not.toBe(hitsOf({ ...given, seed: 2 }, 100));
  });

  test('about as many are hit as the probability says, up to the count', () => {
    const hits = (given: FaultOccurrence): number => [...hitsOf(given, 2000)].filter((one) => one === 'x').length;
    expect(Math.abs(hits({ probability: '.25', seed: 3 }) - 500)).toBeLessThan(100);
    expect(hits({ probability: '.25', seed: 3, count: 100 })).toBe(100);
  });
});
