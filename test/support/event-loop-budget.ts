import { afterAll, beforeAll } from '@jest/globals';
import { disableEventLoopBudget, enableEventLoopBudget } from '../../runtime/machinery/event-loop/budget.ts';

/** Runs the tests of the enclosing `describe`, or of the file, without a cost limit, as on a worker thread. */
export function withoutBudget(): void {
  beforeAll(disableEventLoopBudget);
  afterAll(enableEventLoopBudget);
}
