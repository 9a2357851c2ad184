import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';

interface Timer {
  readonly at: number;
  /** The order of creation. Timers of the same time run in this order. */
  readonly number: number;
  callback: (() => void) | undefined;
}

/** The start of every manual clock: 2026-01-01T00:00:00Z. */
export const manualStart = Date.UTC(2026, 0, 1);

/** A clock that advances only on request. */
export class ManualClock implements Clock {
  #now: number;
  #count = 0;
  /** A binary heap: no timer is due before its parent. */
  readonly #heap: Timer[] = [];

  /** @param now milliseconds since the epoch */
  constructor(now = manualStart) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer: Timer = { at: this.#now + ms, number: this.#count++, callback };
    this.#push(timer);
    return () => {
      timer.callback = undefined;
    };
  }

  /** Returns the time of the next timer, in milliseconds since the epoch. */
  next(): number | undefined {
    for (let next = this.#heap[0]; next !== undefined && next.callback === undefined; next = this.#heap[0]) this.#pop();
    return this.#heap[0]?.at;
  }

  /** Advances by `ms`, and runs timers that expire on the way, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let at = this.next(); at !== undefined && at <= end; at = this.next()) this.advanceTo(at);
    this.#now = end;
  }

  /** Advances to a time, unless it has passed, and runs the timers due by then, but not timers that they set. */
  advanceTo(time: number): void {
    this.#now = Math.max(this.#now, time);
    const due: Timer[] = [];
    for (let at = this.next(); at !== undefined && at <= this.#now; at = this.next()) due.push(this.#pop());
    for (const timer of due) {
      const { callback } = timer;
      timer.callback = undefined;
      callback?.();
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = elementAt(heap, parent);
      if (isBefore(above, timer)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): Timer {
    const heap = this.#heap;
    const first = elementAt(heap, 0);
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      let least = left;
      if (right !== undefined && isBefore(right, left)) {
        child++;
        least = right;
      }
      if (isBefore(last, least)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.number < b.number);
