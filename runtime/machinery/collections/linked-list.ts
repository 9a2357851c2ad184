/** What a member carries, so that it can leave a list from any place. It is in one list at a time. */
export interface Linked<T> {
  /** The list that it is in. */
  list: object | undefined;
  previous: T | undefined;
  next: T | undefined;
}

/**
 * Members in the order they came. For what comes and goes with every request: a Set makes a new table after every few
 * members, the old one points to the new, and so one old table that V8 has moved out of its young generation keeps
 * everything alive that came and went after it.
 */
export class LinkedList<T extends Linked<T>> implements Iterable<T> {
  length = 0;
  #first: T | undefined;
  #last: T | undefined;

  get first(): T | undefined {
    return this.#first;
  }

  append(member: T): void {
    member.list = this;
    member.previous = this.#last;
    if (this.#last === undefined) this.#first = member;
    else this.#last.next = member;
    this.#last = member;
    this.length++;
  }

  /** False: it is not in this list. */
  remove(member: T): boolean {
    if (member.list !== this) return false;
    const { previous, next } = member;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    member.list = undefined;
    member.previous = undefined;
    member.next = undefined;
    this.length--;
    return true;
  }

  /** Nothing may be removed meanwhile. */
  *[Symbol.iterator](): Iterator<T> {
    for (let member = this.#first; member !== undefined; member = member.next) yield member;
  }
}
