import type { Clock } from '../machinery/clock.ts';
import { type Linked, LinkedList } from '../machinery/collections/linked-list.ts';

/** Something that ends at a time of its own. */
export abstract class Expiring implements Linked<Expiring> {
  /** Milliseconds since the epoch. */
  readonly until: number;
  list: object | undefined;
  previous: Expiring | undefined;
  next: Expiring | undefined;

  constructor(until: number) {
    this.until = until;
  }

  /** Called once, when its time is up. */
  abstract expire(): void;
}

/**
 * Time limits of many, told by one timer, so that what is limited costs next to nothing while it waits. The timer is set
 * for whatever ends first; those that leave before do not touch it.
 */
export class ExpirationTimer {
  readonly #clock: Clock;
  readonly #members = new LinkedList<Expiring>();
  /** What the timer is set for. */
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
    this.#stop = this.#clock.after(Math.max(0, until - this.#clock.now()), () => this.#sweep());
  }

  #sweep(): void {
    this.#next = Number.POSITIVE_INFINITY;
    this.#stop = undefined;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    const due: Expiring[] = [];
    for (const member of this.#members) {
      if (member.until <= now) due.push(member);
      else if (member.until < next) next = member.until;
    }
    // one that ends may take others with it
    for (const member of due) if (this.#members.remove(member)) member.expire();
    // those that expired may have let others in, with limits of their own
    if (next < this.#next) this.#set(next);
  }
}
