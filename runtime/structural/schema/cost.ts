import { spend } from '../../machinery/event-loop/budget.ts';

/** The number of schema checks. Alternatives multiply it. */
let steps = 0;
const stepsPerReport = 16_384;
const stepsPerMicrosecond = 12;

/** Counts one check. @throws EventLoopBudgetError */
export function countStep(): void {
  if (++steps % stepsPerReport === 0) spend(stepsPerReport / stepsPerMicrosecond);
}
