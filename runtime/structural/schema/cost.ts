import { reportCost } from '../../machinery/event-loop.ts';

/** Schemas that were held against a value for the object at hand: alternatives multiply them. */
let steps = 0;
const stepsAReport = 16_384;
const stepsAMicrosecond = 12;

/** Begins to count what the validation of one object costs. */
export function beginCount(): void {
  steps = 0;
}

/** One schema is held against one value. @throws EventLoopError */
export function countStep(): void {
  if (++steps % stepsAReport === 0) reportCost(steps / stepsAMicrosecond);
}
