import { elementAt } from '../../../machinery/collections/element-at.ts';

/** A priority queue from which any item can be removed. (pkg/scheduler/backend/heap) */
export class Heap<T> {
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #items: T[] = [];
  readonly #positions = new Map<T, number>();

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  has(item: T): boolean {
    return this.#positions.has(item);
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item. An item that is already present keeps its place. */
  add(item: T): void {
    if (this.#positions.has(item)) return;
    this.#place(item, this.#items.length);
    this.#up(item, this.#items.length - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.delete(first);
    return first;
  }

  delete(item: T): boolean {
    const at = this.#positions.get(item);
    if (at === undefined) return false;
    this.#positions.delete(item);
    const last = this.#items.pop() as T;
    if (last !== item) {
      this.#place(last, at);
      this.#up(last, at);
      this.#down(last, this.#positions.get(last) as number);
    }
    return true;
  }

  #place(item: T, at: number): void {
    this.#items[at] = item;
    this.#positions.set(item, at);
  }

  #up(item: T, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = elementAt(this.#items, parent);
      if (!this.#isBefore(item, above)) break;
      this.#place(above, at);
      at = parent;
    }
    this.#place(item, at);
  }

  #down(item: T, from: number): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      const [left, right] = [this.#items[child], this.#items[child + 1]];
      if (left === undefined) break;
      let least = left;
      if (right !== undefined && this.#isBefore(right, left)) {
        child++;
        least = right;
      }
      if (!this.#isBefore(least, item)) break;
      this.#place(least, at);
      at = child;
    }
    this.#place(item, at);
  }
}
