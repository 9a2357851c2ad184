import type { Clock } from '../machinery/clock.ts';
import { elementAt } from '../machinery/collections/element-at.ts';

interface Due<T> {
  readonly at: number;
  readonly item: T;
}

/**
 * The due times of many items, in one heap with one timer. An item becomes due once, at the earliest time given since
 * it was last due.
 */
export class DueTimes<T> {
  readonly #clock: Clock;
  readonly #keyOf: (item: T) => string;
  readonly #onDue: (item: T) => void;
  readonly #heap: Due<T>[] = [];
  /** The valid time of each item. Heap entries with another time are void. */
  readonly #times = new Map<string, number>();
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, keyOf: (item: T) => string, onDue: (item: T) => void) {
    this.#clock = clock;
    this.#keyOf = keyOf;
    this.#onDue = onDue;
  }

  /** @param at milliseconds since the epoch */
  add(item: T, at: number): void {
    const key = this.#keyOf(item);
    const before = this.#times.get(key);
    if (before !== undefined && before <= at) return;
    this.#times.set(key, at);
    this.#push({ at, item });
    this.#arm();
  }

  delete(item: T): void {
    this.#times.delete(this.#keyOf(item));
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#heap.length = 0;
    this.#times.clear();
  }

  #arm(): void {
    const next = this.#heap[0];
    if (next === undefined || (this.#timer !== undefined && this.#timer.at <= next.at)) return;
    this.#timer?.cancel();
    const wait = Math.min(Math.max(next.at - this.#clock.now(), 0), maxDelay);
    this.#timer = { at: next.at, cancel: this.#clock.after(wait, () => this.#run()) };
  }

  #run(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (let next = this.#heap[0]; next !== undefined && next.at <= now; next = this.#heap[0]) {
      const { at, item } = next;
      this.#pop();
      const key = this.#keyOf(item);
      if (this.#times.get(key) !== at) continue;
      this.#times.delete(key);
      this.#onDue(item);
    }
    this.#arm();
  }

  #push(due: Due<T>): void {
    const heap = this.#heap;
    let index = heap.push(due) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = elementAt(heap, parent);
      if (above.at <= due.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      let least = left;
      if (right !== undefined && right.at < left.at) {
        child++;
        least = right;
      }
      if (least.at >= last.at) break;
      heap[index] = least;
      index = child;
    }
    heap[index] = last;
  }
}

/** The longest delay of setTimeout. */
const maxDelay = 2 ** 31 - 1;
