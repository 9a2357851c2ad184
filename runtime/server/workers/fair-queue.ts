/** A queue that is fair to users: first in, first out for each user, and round-robin between users. */
export class FairQueue<T> {
  readonly #byUser = new Map<string, T[]>();
  #size = 0;
  /** The user of the last item taken. */
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

  /** Takes the next item of the first eligible user. The user of the last item comes last. */
  take(isEligible: (user: string) => boolean): T | undefined {
    const user = this.#next(isEligible);
    if (user === undefined) return undefined;
    const [next, ...rest] = this.#byUser.get(user) as T[];
    this.#byUser.delete(user);
    if (rest.length > 0) this.#byUser.set(user, rest);
    this.#last = user;
    this.#size--;
    return next;
  }

  #next(isEligible: (user: string) => boolean): string | undefined {
    let last: string | undefined;
    for (const user of this.#byUser.keys()) {
      if (!isEligible(user)) continue;
      if (user !== this.#last) return user;
      last = user;
    }
    return last;
  }

  /** Returns false if the item is no longer queued. */
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
