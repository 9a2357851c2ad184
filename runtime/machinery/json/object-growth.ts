import { requestTooLarge } from '../errors/status.ts';
import { checkEventLoopBytes } from '../event-loop/budget.ts';
import { maxRequestBytes } from '../limits.ts';

/**
 * Counts the bytes of JSON that a step of a write adds to an object beyond what the client sent, before the values are made: a
 * short request may ask for long defaults in each item of a list, or for many copies of a long value.
 */
export class ObjectGrowth {
  #bytes = 0;

  /** @throws StatusError 500 for more than any storage takes; EventLoopBudgetError */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > maxRequestBytes) throw requestTooLarge();
    checkEventLoopBytes(this.#bytes);
  }
}
