import { spend } from '../../machinery/event-loop/budget.ts';
import type { Value } from '../values/value.ts';

/** The state of one evaluation: the values of variables, and the cost so far. */
export interface ExecutionFrame {
  /** The values of variables by slot; undefined for none. */
  readonly slots: (Value | undefined)[];
  cost: number;
  readonly limit: number;
  /** The cost at which `charge` reports or fails: the next report, or the limit. */
  stop: number;
  /** The reported part of the cost. */
  reported: number;
}

export function newExecutionFrame(slots: number, limit: number): ExecutionFrame {
  return {
    slots: new Array<Value | undefined>(slots),
    cost: 0,
    limit,
    stop: Math.min(limit, reportInterval),
    reported: 0,
  };
}

/** A compiled expression. (cel-go interpreter.Interpretable) */
export type Interpretable = (frame: ExecutionFrame) => Value;

/** Thrown if an evaluation exceeds its cost limit. */
class CostExceeded {
  readonly isCostExceeded = true;
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

export function isCostExceeded(error: unknown): error is CostExceeded {
  return (error as CostExceeded | undefined)?.isCostExceeded === true;
}

const exceeded = new CostExceeded();
/** Cost between reports. */
const reportInterval = 10_000;
/** Microseconds per unit of cost: 0.01 once V8 has optimized the expression, 0.07 before that. */
const microsecondsPerUnit = 0.05;

export function charge(frame: ExecutionFrame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.stop) reportOrFail(frame);
}

/** Charges a cost that does not reflect time spent in this thread, such as an authorization check. */
export function chargeUntimed(frame: ExecutionFrame, cost: number): void {
  frame.reported += cost;
  charge(frame, cost);
}

function reportOrFail(frame: ExecutionFrame): void {
  if (frame.cost > frame.limit) throw exceeded;
  frame.stop = Math.min(frame.limit, frame.cost + reportInterval);
  report(frame);
}

/** Charges the event loop budget. Do not catch its EventLoopBudgetError: it is not an error of the expression. */
export function report(frame: ExecutionFrame): void {
  const cost = frame.cost - frame.reported;
  frame.reported = frame.cost;
  spend(cost * microsecondsPerUnit);
}
