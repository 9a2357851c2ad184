import { expect } from '@jest/globals';
import { collect } from './collect.ts';

/** Bytes of the heap, and of buffers, that a result holds once everything else is collected. */
function retainedBy(work: () => unknown): number {
  collect();
  const before = held();
  const result = [work()];
  collect();
  const after = held();
  // it must live until here
  expect(result).toHaveLength(1);
  return after - before;
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Less is noise: code that is compiled, caches that fill. Bytes. */
const noise = 2 * 2 ** 20;

/**
 * Holds a decoder to a promise of linear memory: what it makes of twice the input takes at most 2.5 times as much.
 *
 * @param make prepares the input of a size and gives the work
 */
export function expectLinearMemory(size: number, make: (size: number) => () => unknown): void {
  const [small, large] = [make(size), make(2 * size)];
  // what is made once, code and tables, is there before
  retainedBy(small);
  const base = Math.max(retainedBy(small), noise);
  expect(retainedBy(large)).toBeLessThan(2.5 * base);
}
