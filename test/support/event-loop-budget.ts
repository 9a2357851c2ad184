import { afterAll, beforeAll } from '@jest/globals';
import { disableEventLoopBudget, enableEventLoopBudget } from '../../runtime/machinery/event-loop/budget.ts';

/** The tests of the enclosing `describe`, or of the file, run as on a worker thread: no work costs too much. */
export function withoutBudget(): void {
  beforeAll(disableEventLoopBudget);
  afterAll(enableEventLoopBudget);
}
