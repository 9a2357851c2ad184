import { expect } from '@jest/globals';
import fc from 'fast-check';
import { collect } from './collect.ts';

/** Milliseconds; less is noise, such as a compilation. */
const noise = 10;
const attempts = 6;

/**
 * Checks that work takes linear time: at four times the size it must take less than nine times as long, where quadratic
 * work takes sixteen times. Counts the CPU time of this process only, and may take a few attempts.
 * @param size the smaller size: up to a quarter more is tried
 * @param make prepares the work of one size; errors of the work count as work
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

/** Work on an input that does not count. */
export const workOn =
  <T>(prepare: (n: number) => T, work: (input: T) => unknown) =>
  (n: number): (() => unknown) => {
    const input = prepare(n);
    return () => work(input);
  };

/** Earlier garbage does not count. */
function timeOf(work: () => unknown): number {
  collect();
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // a rejection takes time, too
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** `n` texts separated by commas. */
export function joined(n: number, text: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => text(i)).join(',');
}

/** An object of `n` members. */
export function members<T>(n: number, member: (i: number) => [string, T]): Record<string, T> {
  return Object.fromEntries(Array.from({ length: n }, (_, i) => member(i)));
}
