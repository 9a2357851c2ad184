/** Something that ends once, and those who want to know. */
export class Ending {
  #ended = false;
  readonly #listeners = new Set<() => void>();

  get ended(): boolean {
    return this.#ended;
  }

  /** Calls `listener` when it ends, or soon where it has; until the returned function is called. */
  onEnd(listener: () => void): () => void {
    if (this.#ended) queueMicrotask(listener);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
