import { requestTooLarge } from '../errors/status.ts';
import { checkEventLoopBytes } from '../event-loop/budget.ts';
import { maxRequestBytes } from '../limits.ts';

/**
 * Counts the bytes of JSON that a step of a write adds to a client's object, before the values are made. A short
 * request may cause long defaults in each item of a list, or many copies of a long value.
 */
export class ObjectGrowth {
  #bytes = 0;

  /** @throws StatusError 500 above the limit of all storages; EventLoopBudgetError */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > maxRequestBytes) throw requestTooLarge();
    checkEventLoopBytes(this.#bytes);
  }
}
