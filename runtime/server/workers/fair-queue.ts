/** What waits, by whose it is: each user's in their order, and the users in turns. */
export class FairQueue<T> {
  readonly #byUser = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(user: string, item: T): void {
    const waiting = this.#byUser.get(user);
    if (waiting === undefined) this.#byUser.set(user, [item]);
    else waiting.push(item);
    this.#size++;
  }

  /** The next of the first user who may have a turn; that user is the last from now on. */
  take(mayHaveTurn: (user: string) => boolean): T | undefined {
    for (const [user, waiting] of this.#byUser) {
      if (!mayHaveTurn(user)) continue;
      this.#byUser.delete(user);
      const [next, ...rest] = waiting;
      if (rest.length > 0) this.#byUser.set(user, rest);
      this.#size--;
      return next;
    }
    return undefined;
  }

  /** False where the item does not wait any more. */
  remove(user: string, item: T): boolean {
    const waiting = this.#byUser.get(user) ?? [];
    const rest = waiting.filter((one) => one !== item);
    if (rest.length === waiting.length) return false;
    if (rest.length > 0) this.#byUser.set(user, rest);
    else this.#byUser.delete(user);
    this.#size--;
    return true;
  }
}
