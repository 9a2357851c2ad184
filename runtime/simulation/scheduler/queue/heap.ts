/** Items by order, of which any can be taken out. (pkg/scheduler/backend/heap) */
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

  /** An item that is there already stays where it is. */
  add(item: T): void {
    if (this.#positions.has(item)) return;
    this.#place(item, this.#items.length);
    this.#up(this.#items.length - 1);
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
      this.#up(at);
      this.#down(this.#positions.get(last) as number);
    }
    return true;
  }

  #place(item: T, at: number): void {
    this.#items[at] = item;
    this.#positions.set(item, at);
  }

  #up(from: number): void {
    const item = this.#items[from];
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(item, this.#items[parent])) break;
      this.#place(this.#items[parent], at);
      at = parent;
    }
    this.#place(item, at);
  }

  #down(from: number): void {
    const item = this.#items[from];
    const size = this.#items.length;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isBefore(this.#items[child + 1], this.#items[child])) child++;
      if (!this.#isBefore(this.#items[child], item)) break;
      this.#place(this.#items[child], at);
      at = child;
    }
    this.#place(item, at);
  }
}
