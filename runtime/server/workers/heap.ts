import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The least bytes of growth before a collection, which takes some tens of milliseconds. */
const growth = 16 * 2 ** 20;

/**
 * The heap of a worker thread. By default, V8 lets garbage grow to half of the heap's limit before the first collection, and
 * keeps the memory of a large request until the thread ends.
 */
export class WorkerHeap {
  readonly #collect: () => void = collector();
  #size = 0;

  /** Collects garbage if the heap has grown enough, which returns the memory to the system. */
  trim(): void {
    if (heapSize() - this.#size < growth) return;
    this.#collect();
    this.#size = heapSize();
  }

  /** Runs the first collection. After it, V8 sizes the heap by the live objects. */
  settle(): void {
    this.#collect();
    this.#size = heapSize();
  }
}

const heapSize = (): number => getHeapStatistics().total_heap_size;

/** Returns V8's gc function. Node exposes it only with a flag, which at run time applies to new contexts. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
