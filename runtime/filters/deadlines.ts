import type { Clock } from '../machinery/clock.ts';
import { type Linked, LinkedList } from '../machinery/collections/linked-list.ts';

/** Something that expires at a given time. */
export abstract class Expiring implements Linked<Expiring> {
  /** Milliseconds since the epoch. */
  readonly until: number;
  list: object | undefined;
  previous: Expiring | undefined;
  next: Expiring | undefined;

  constructor(until: number) {
    this.until = until;
  }

  /** Called once, at the time. */
  abstract expire(): void;
}

/**
 * Expires many members with one timer, so that a waiting member costs next to nothing. The timer is set for the
 * earliest member. Deleting a member does not touch the timer.
 */
export class ExpirationTimer {
  readonly #clock: Clock;
  readonly #members = new LinkedList<Expiring>();
  /** The time for which the timer is set. */
  #next = Number.POSITIVE_INFINITY;
  #stop: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(member: Expiring): void {
    this.#members.append(member);
    if (member.until < this.#next) this.#set(member.until);
  }

  delete(member: Expiring): void {
    this.#members.remove(member);
  }

  #set(until: number): void {
    this.#stop?.();
    this.#next = until;
    this.#stop = this.#clock.after(Math.max(0, until - this.#clock.now()), () => this.#expireMembers());
  }

  #expireMembers(): void {
    this.#next = Number.POSITIVE_INFINITY;
    this.#stop = undefined;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    const due: Expiring[] = [];
    for (const member of this.#members) {
      if (member.until <= now) due.push(member);
      else if (member.until < next) next = member.until;
    }
    // the expiration of a member may delete others
    for (const member of due) if (this.#members.remove(member)) member.expire();
    // The expirations may have let in requests, which have added members.
    if (next < this.#next) this.#set(next);
  }
}
