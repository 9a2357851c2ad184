import { elementAt } from '../../machinery/collections/element-at.ts';
import { runNextTurn } from '../../machinery/event-loop/yield.ts';

/** The events passed on in one turn of the event loop, or all events of one revision if these are more. */
const chunk = 64;

interface Entry<T> {
  readonly revision: number;
  readonly events: readonly T[];
}

/** Passes on events in the order of their revisions: few at once, many over several turns of the event loop. */
export class RevisionQueue<T> {
  readonly #revisionOf: (event: T) => number;
  readonly #pass: (revision: number, events: readonly T[]) => void;
  #waiting: Entry<T>[] = [];
  #cancel: () => void = () => undefined;

  /** @param pass gets all events of some revisions, and the revision up to which there are no others */
  constructor(revisionOf: (event: T) => number, pass: (revision: number, events: readonly T[]) => void) {
    this.#revisionOf = revisionOf;
    this.#pass = pass;
  }

  /** @param events all events of their revisions, up to `revision` */
  add(revision: number, events: readonly T[]): void {
    const isIdle = this.#waiting.length === 0;
    if (isIdle && events.length <= chunk) {
      this.#pass(revision, events);
      return;
    }
    this.#split(revision, events);
    if (isIdle) this.#next();
  }

  /** Passes on everything now. */
  flush(): void {
    this.#cancel();
    for (const { revision, events } of this.#waiting.splice(0)) this.#pass(revision, events);
  }

  /** Drops all events. */
  close(): void {
    this.#cancel();
    this.#waiting = [];
  }

  #split(revision: number, events: readonly T[]): void {
    let start = 0;
    while (events.length - start > chunk) {
      let end = start + chunk;
      while (end < events.length && this.#revisionOf(elementAt(events, end)) === this.#revisionOf(elementAt(events, end - 1))) end += 1;
      if (end === events.length) break;
      this.#waiting.push({ revision: this.#revisionOf(elementAt(events, end - 1)), events: events.slice(start, end) });
      start = end;
    }
    this.#waiting.push({ revision, events: events.slice(start) });
  }

  #next(): void {
    const next = this.#waiting[0];
    if (next === undefined) return;
    this.#pass(next.revision, next.events);
    this.#waiting.shift();
    if (this.#waiting.length > 0) this.#cancel = runNextTurn(() => this.#next());
  }
}
