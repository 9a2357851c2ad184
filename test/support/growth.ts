import { expect } from '@jest/globals';
import fc from 'fast-check';
import { collect } from './collect.ts';

/** Milliseconds; less is noise, such as a compilation. */
const noise = 10;
const attempts = 10;
/** The ratio of the large work to the small one. */
const times = 16;

/**
 * Checks that work takes linear time. One piece of sixteen times the size must take less than four times as long as
 * sixteen small pieces; quadratic work takes sixteen times as long. Only the CPU time of this process counts, and the
 * fastest of several attempts of each is compared, so a busy machine does not matter.
 *
 * @param size the base size: pieces of a quarter of it are compared with one of four times. It varies by up to a
 *   quarter more
 * @param make prepares the work of one size; errors of the work count as work
 */
export function expectLinear(size: number, make: (size: number) => () => unknown): void {
  const sizes = fc.integer({ min: size, max: Math.ceil(size * 1.25) });
  fc.assert(
    fc.property(sizes, (n) => {
      const small = make(Math.ceil(n / 4));
      const large = make(4 * n);
      let [pieces, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let attempt = 0; attempt < attempts && !(whole < 4 * Math.max(pieces, noise)); attempt++) {
        // the garbage of earlier tests counts only in the first attempt: collecting it takes longer than most work
        if (attempt > 0) collect();
        pieces = Math.min(pieces, timeOf(small, times));
        whole = Math.min(whole, timeOf(large, 1));
      }
      expect(whole).toBeLessThan(4 * Math.max(pieces, noise));
    }),
    { numRuns: 1, verbose: true },
  );
}

/** Separates the preparation of an input from the measured work. */
export const workOn =
  <T>(prepare: (n: number) => T, work: (input: T) => unknown) =>
  (n: number): (() => unknown) => {
    const input = prepare(n);
    return () => work(input);
  };

/** Returns the CPU milliseconds of some runs. */
function timeOf(work: () => unknown, runs: number): number {
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run++) {
    try {
      work();
    } catch {
      // a rejection takes time too
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns `n` texts separated by commas. */
export function joined(n: number, text: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => text(i)).join(',');
}

/** Returns an object of `n` members. */
export function members<T>(n: number, member: (i: number) => [string, T]): Record<string, T> {
  return Object.fromEntries(Array.from({ length: n }, (_, i) => member(i)));
}
