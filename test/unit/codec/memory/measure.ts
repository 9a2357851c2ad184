import { disableEventLoopBudget } from '../../../../runtime/machinery/event-loop/budget.ts';
import { collect } from '../../../support/collect.ts';
import { codecs } from './cases.ts';

/** The bytes that results retain in several attempts, for an input of `size` and for one of twice the size. */
export interface Measured {
  readonly size: number;
  readonly attempts: readonly { readonly once: number; readonly twice: number }[];
}

/** Bytes; less is noise, such as compiled code and caches. */
const noise = 2 * 2 ** 20;

/** Enough attempts to recognize noise. */
const attempts = 3;

// A separate process: the heap of a test's process has other tests' objects, and takes long to collect.
disableEventLoopBudget();
const measured: Record<string, Record<string, Measured>> = {};
for (const { title, decode, inputs } of codecs) {
  measured[title] = {};
  for (const [name, bytesOf] of Object.entries(inputs)) {
    // large enough to exceed the noise
    const size = 40_000 + Math.floor(Math.random() * 20_000);
    const [small, large] = [bytesOf(size), bytesOf(2 * size)];
    // code and tables are created once, before the measurement
    retainedBy(() => decode(small));
    measured[title][name] = {
      size,
      attempts: Array.from({ length: attempts }, () => ({
        once: Math.max(
          retainedBy(() => decode(small)),
          noise,
        ),
        twice: retainedBy(() => decode(large)),
      })),
    };
  }
}
process.stdout.write(JSON.stringify(measured));

/** Returns the bytes of the heap and of buffers that a result retains. */
function retainedBy(work: () => unknown): number {
  collect();
  const before = held();
  const result = [work()];
  collect();
  const after = held();
  // keeps the result reachable until here
  result.length = 0;
  return after - before;
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
