import { expect } from '@jest/globals';
import fc from 'fast-check';
import { collect } from './collect.ts';

/** Less than this is noise: a compilation, a look at another thread. Milliseconds. */
const noise = 10;
const attempts = 6;

/**
 * Holds work to a promise of linear time: at four times the size it takes less than nine times as long, where sixteen
 * would be quadratic. Time is what this process computed: other processes do not count. It may take a few attempts.
 *
 * @param size the smaller size: up to a quarter more is tried
 * @param make prepares the work of one size; what it throws when it is done is work too
 */
export function expectLinear(size: number, make: (size: number) => () => unknown): void {
  const sizes = fc.integer({ min: size, max: Math.ceil(size * 1.25) });
  fc.assert(
    fc.property(sizes, (n) => {
      const [small, large] = [make(n), make(4 * n)];
      const most = 9 * Math.max(timeOf(small), timeOf(small), noise);
      let best = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < attempts && best >= most; attempt++) best = Math.min(best, timeOf(large));
      expect(best).toBeLessThan(most);
    }),
    { numRuns: 1, verbose: true },
  );
}

/** What is done with an input that takes no part of the time. */
export const workOn =
  <T>(prepare: (n: number) => T, work: (input: T) => unknown) =>
  (n: number): (() => unknown) => {
    const input = prepare(n);
    return () => work(input);
  };

/** What others left to be collected is not counted. */
function timeOf(work: () => unknown): number {
  collect();
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // a refusal takes its time as well
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** `n` texts with commas between. */
export function joined(n: number, text: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => text(i)).join(',');
}

/** An object of `n` members. */
export function members<T>(n: number, member: (i: number) => [string, T]): Record<string, T> {
  return Object.fromEntries(Array.from({ length: n }, (_, i) => member(i)));
}
