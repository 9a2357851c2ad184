/** Runs work with the same key in sequence, and work with different keys concurrently. */
export class KeyQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** @param work may end its turn early, by calling what it is passed */
  run<T>(key: string, work: (yieldTurn: () => void) => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    let endTurn = (): void => undefined;
    const tail = new Promise<void>((resolve) => {
      endTurn = resolve;
    });
    const result = before === undefined ? work(endTurn) : before.then(() => work(endTurn));
    this.#tails.set(key, tail);
    result.then(endTurn, endTurn);
    tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}
