import { runAtEndOfTurn } from '../../machinery/event-loop/yield.ts';

/** The most concurrent reads: later callers share the next one. */
const maxReads = 4;

/** Reads the newest revision. Callers share a read that has not been sent yet. */
export class CurrentRevision {
  readonly #read: () => Promise<number>;
  #next: Promise<number> | undefined;
  #running = 0;
  #start: (() => void) | undefined;

  /** @param read resolves with a revision not older than any write acknowledged before the call */
  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  get(): Promise<number> {
    if (this.#next === undefined) {
      this.#next = new Promise<void>((resolve) => {
        this.#start = resolve;
      }).then(() => this.#send());
      runAtEndOfTurn(() => this.#startNext());
    }
    return this.#next;
  }

  #startNext(): void {
    if (this.#running >= maxReads || this.#start === undefined) return;
    this.#running += 1;
    const start = this.#start;
    this.#start = undefined;
    start();
  }

  async #send(): Promise<number> {
    this.#next = undefined;
    try {
      return await this.#read();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }
}
