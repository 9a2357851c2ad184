/** The links of a member. With them the member can leave a list from any position. It is in at most one list. */
export interface Linked<T> {
  /** The list that contains it. */
  list: object | undefined;
  previous: T | undefined;
  next: T | undefined;
}

/**
 * Members in insertion order, for objects that come and go with every request. A Set allocates a new table after a few
 * members, and the old table points to the new one. If V8 promotes one old table, it keeps all later ones alive.
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

  /** Returns false if the member is not in this list. */
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

  /** No member may be removed during the iteration. */
  *[Symbol.iterator](): Iterator<T> {
    for (let member = this.#first; member !== undefined; member = member.next) yield member;
  }
}
