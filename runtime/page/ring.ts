/** The latest items, up to a number. */
export class Ring<T> {
  readonly #capacity: number;
  readonly #items: T[] = [];
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(item: T): void {
    this.#items[this.#next % this.#capacity] = item;
    this.#next += 1;
  }

  /** Yields the items, oldest first. */
  *[Symbol.iterator](): Generator<T> {
    const first = Math.max(0, this.#next - this.#capacity);
    for (let at = first; at < this.#next; at++) {
      const item = this.#items[at % this.#capacity];
      if (item !== undefined) yield item;
    }
  }
}
