import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that a heap may grow by before a collection is worth its time, some tens of milliseconds. */
const growth = 16 * 2 ** 20;

/**
 * The heap of a worker thread. Left alone, V8 lets the first garbage grow to half of the heap's limit before it collects
 * any, and keeps what a large request took until the thread ends.
 */
export class WorkerHeap {
  readonly #collect: () => void = collector();
  #size = 0;

  /** Collects garbage and returns its memory to the system, if there is enough of it. */
  trim(): void {
    if (heapSize() - this.#size < growth) return;
    this.#collect();
    this.#size = heapSize();
  }

  /** From its first collection on V8 sizes the heap by what is alive. */
  settle(): void {
    this.#collect();
    this.#size = heapSize();
  }
}

const heapSize = (): number => getHeapStatistics().total_heap_size;

/** Node has no function that collects garbage unless it is started with a flag, which is seen by contexts made later. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
