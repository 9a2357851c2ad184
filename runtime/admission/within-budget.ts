import type { Attributes } from '../machinery/admission.ts';
import { shareEventLoopBudget, withoutEventLoopBudget } from '../machinery/event-loop/budget.ts';

/** Runs work whose parts share the event loop's budget, if the write can start over elsewhere. @throws EventLoopBudgetError */
export const withinBudget = <T>({ isRepeatable = true }: Attributes, work: () => T): T =>
  isRepeatable ? shareEventLoopBudget(work) : withoutEventLoopBudget(work);
