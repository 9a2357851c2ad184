import { collect } from './collect.ts';

/** Bytes of the heap, and of buffers, that a result retains. */
function retainedBy(work: () => unknown): number {
  collect();
  const before = held();
  const result = [work()];
  collect();
  const after = held();
  // keeps it reachable until here
  result.length = 0;
  return after - before;
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes; less is noise, such as compiled code and caches. */
const noise = 2 * 2 ** 20;
const attempts = 10;

/**
 * Checks that a decoder takes linear memory: the result of twice the input takes at most 2.5 times as much, in one of
 * several attempts, since what else this process compiles, caches and frees is measured, too.
 * @param make prepares the input of a size and returns the work
 */
export function expectLinearMemory(size: number, make: (size: number) => () => unknown): void {
  const [small, large] = [make(size), make(2 * size)];
  // code and tables are created once, before the measurement
  retainedBy(small);
  const measured: [small: number, large: number][] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const [base, whole] = [Math.max(retainedBy(small), noise), retainedBy(large)];
    if (whole < 2.5 * base) return;
    measured.push([base, whole]);
  }
  throw new Error(`twice the input takes more than 2.5 times as much memory: ${JSON.stringify(measured)}`);
}
