/** What waits, by whose it is: each user's in their order, and the users in turns. */
export class FairQueue<T> {
  readonly #byUser = new Map<string, T[]>();
  #size = 0;
  /** Whose turn it was. */
  #last: string | undefined;

  get size(): number {
    return this.#size;
  }

  add(user: string, item: T): void {
    const waiting = this.#byUser.get(user);
    if (waiting === undefined) this.#byUser.set(user, [item]);
    else waiting.push(item);
    this.#size++;
  }

  /** The next of the first user who may have a turn: the one whose turn it was last comes after all others. */
  take(mayHaveTurn: (user: string) => boolean): T | undefined {
    const user = this.#next(mayHaveTurn);
    if (user === undefined) return undefined;
    const [next, ...rest] = this.#byUser.get(user) as T[];
    this.#byUser.delete(user);
    if (rest.length > 0) this.#byUser.set(user, rest);
    this.#last = user;
    this.#size--;
    return next;
  }

  #next(mayHaveTurn: (user: string) => boolean): string | undefined {
    let last: string | undefined;
    for (const user of this.#byUser.keys()) {
      if (!mayHaveTurn(user)) continue;
      if (user !== this.#last) return user;
      last = user;
    }
    return last;
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
