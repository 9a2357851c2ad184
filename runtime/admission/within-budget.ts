import type { Attributes } from '../machinery/admission.ts';
import { shareEventLoopBudget, withoutEventLoopBudget } from '../machinery/event-loop/budget.ts';

/**
 * Runs work within one event-loop budget, if the write can start over on another thread. @throws EventLoopBudgetError
 */
export const withinBudget = <T>({ canMoveToWorker = true }: Attributes, work: () => T): T =>
  canMoveToWorker ? shareEventLoopBudget(work) : withoutEventLoopBudget(work);
