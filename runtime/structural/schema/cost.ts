import { spend } from '../../machinery/event-loop/budget.ts';

/** Schemas that were held against values: alternatives multiply them. */
let steps = 0;
const stepsAReport = 16_384;
const stepsAMicrosecond = 12;

/** One schema is held against one value. @throws EventLoopBudgetError */
export function countStep(): void {
  if (++steps % stepsAReport === 0) spend(stepsAReport / stepsAMicrosecond);
}
