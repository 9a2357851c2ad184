import type { Turn } from '../../machinery/admission.ts';

/** The turn of work that nobody waits for. */
export const ownTurn: Turn = { yield: () => undefined };

/** Runs work with the same key in sequence, and work with different keys concurrently. */
export class KeyQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** @param work has a turn, which ends with the work unless the work yields it */
  run<T>(key: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    let endTurn = (): void => undefined;
    const tail = new Promise<void>((resolve) => {
      endTurn = resolve;
    });
    const turn: Turn = { yield: endTurn };
    const result = before === undefined ? work(turn) : before.then(() => work(turn));
    this.#tails.set(key, tail);
    result.then(endTurn, endTurn);
    tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}
