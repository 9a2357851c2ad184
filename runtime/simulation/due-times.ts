import type { Clock } from '../machinery/clock.ts';

interface Due<T> {
  readonly at: number;
  readonly item: T;
}

/**
 * When items are due, in one heap with one timer, because there are many. An item is due once, at the earliest of the times
 * that were given for it since it was due last.
 */
export class DueTimes<T> {
  readonly #clock: Clock;
  readonly #keyOf: (item: T) => string;
  readonly #onDue: (item: T) => void;
  readonly #heap: Due<T>[] = [];
  /** What is in the heap and not here under the same time is void. */
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
    while (this.#heap.length > 0 && this.#heap[0].at <= now) {
      const { at, item } = this.#pop();
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
      if (heap[parent].at <= due.at) break;
      heap[index] = heap[parent];
      index = parent;
    }
    heap[index] = due;
  }

  #pop(): Due<T> {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop() as Due<T>;
    if (heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1].at < heap[child].at) child++;
      if (heap[child].at >= last.at) break;
      heap[index] = heap[child];
      index = child;
    }
    heap[index] = last;
    return top;
  }
}

/** The longest delay of setTimeout. */
const maxDelay = 2 ** 31 - 1;
