import { describe, expect, test } from '@jest/globals';
import { type AllocationItem, computeConcurrencyAllocation } from '../../../runtime/flowcontrol/concurrency/allocation.ts';
import { Random } from '../../support/random.ts';

const claim = (target: number, lowerBound: number, upperBound: number): AllocationItem => ({
  target,
  lowerBound,
  upperBound,
});

describe('the allocation of seats', () => {
  test.each<[string, number, AllocationItem[], number[], number]>([
    ['in proportion', 12, [claim(1, 0, 100), claim(2, 0, 100), claim(3, 0, 100)], [2, 4, 6], 2],
    ['with a floor', 12, [claim(8, 8, 100), claim(8, 0, 100), claim(8, 0, 100)], [8, 2, 2], 0.25],
    ['with a ceiling', 12, [claim(1, 0, 2), claim(1, 0, 100), claim(1, 0, 100)], [2, 5, 5], 5],
    ['without demand', 9, [claim(0, 0, 9), claim(0, 0, 9), claim(0, 0, 9)], [3, 3, 3], 3000],
    ['where all are at their floors', 5, [claim(2, 2, 9), claim(3, 3, 9)], [2, 3], 1],
    ['where all are at their ceilings', 5, [claim(1, 0, 2), claim(1, 0, 3)], [2, 3], 3],
    ['of zero seats', 0, [claim(1, 0, 2)], [0], 0],
  ])('%s', (_, sum, claims, allocations, fraction) => {
    const given = computeConcurrencyAllocation(sum, claims);
    expect(given?.allocations.map((share) => Number(share.toFixed(6)))).toEqual(allocations);
    expect(given?.fairFraction).toBeCloseTo(fraction, 6);
  });

  test.each([
    ['too little for the floors', 3, [claim(2, 2, 9), claim(2, 2, 9)]],
    ['too much for the ceilings', 9, [claim(2, 2, 4), claim(2, 2, 4)]],
    ['a negative sum', -1, [claim(0, 0, 4)]],
  ])('is impossible if there is %s', (_, sum, claims) => {
    expect(computeConcurrencyAllocation(sum, claims)).toBeUndefined();
  });

  test('is unique: each claim gets the fair fraction of its target, or is at a bound', () => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const random = new Random(seed);
      const claims = Array.from({ length: random.between(1, 8) }, () => {
        const lowerBound = random.chance(0.3) ? 0 : random.between(0, 50);
        return claim(lowerBound + random.between(0, 60), lowerBound, lowerBound + random.between(0, 200));
      });
      const lowest = claims.reduce((total, { lowerBound }) => total + lowerBound, 0);
      const highest = claims.reduce((total, { upperBound }) => total + upperBound, 0);
      const sum = random.between(lowest, highest);
      const { allocations, fairFraction } = computeConcurrencyAllocation(sum, claims) ?? {
        allocations: [],
        fairFraction: 0,
      };
      const problems = allocations.filter((share, at) => {
        const { target, lowerBound, upperBound } = claims[at];
        const fair = fairFraction * Math.max(target, 0.001);
        return Math.abs(share - Math.max(lowerBound, Math.min(upperBound, fair))) > 1e-6;
      });
      const total = allocations.reduce((all, share) => all + share, 0);
      expect({ seed, problems, off: Math.abs(total - sum) > 1e-5 }).toEqual({ seed, problems: [], off: false });
    }
  });
});
