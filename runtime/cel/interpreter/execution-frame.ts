import { spend } from '../../machinery/event-loop/budget.ts';
import type { Value } from '../values/value.ts';

/** One evaluation: the variables' values and what has been spent. */
export interface ExecutionFrame {
  /** Undefined: the variable has no value. */
  readonly slots: (Value | undefined)[];
  cost: number;
  readonly limit: number;
  /** The cost from which on `charge` looks closer: the limit, or before it, to report. */
  stop: number;
  /** The cost that has been reported. */
  reported: number;
}

export function newExecutionFrame(slots: number, limit: number): ExecutionFrame {
  return { slots: new Array<Value | undefined>(slots), cost: 0, limit, stop: Math.min(limit, step), reported: 0 };
}

/** A compiled expression. */
export type Interpretable = (frame: ExecutionFrame) => Value;

/** Thrown where an evaluation has cost more than it may. */
export class CostExceeded {
  readonly isCostExceeded = true;
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

export function isCostExceeded(error: unknown): error is CostExceeded {
  return (error as CostExceeded | undefined)?.isCostExceeded === true;
}

const exceeded = new CostExceeded();
/** Cost between two reports. */
const step = 10_000;
/** Microseconds that a unit of cost takes: 0.01 where V8 knows the rule well, 0.07 where it does not. */
const perUnit = 0.05;

export function charge(frame: ExecutionFrame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.stop) lookCloser(frame);
}

/** Charges for what takes no time here: somebody else's decision, say. */
export function chargeUntimed(frame: ExecutionFrame, cost: number): void {
  frame.reported += cost;
  charge(frame, cost);
}

function lookCloser(frame: ExecutionFrame): void {
  if (frame.cost > frame.limit) throw exceeded;
  frame.stop = Math.min(frame.limit, frame.cost + step);
  report(frame);
}

/** Tells the event loop what has been spent. Not to be caught: an EventLoopBudgetError is no error of the expression. */
export function report(frame: ExecutionFrame): void {
  const cost = frame.cost - frame.reported;
  frame.reported = frame.cost;
  spend(cost * perUnit);
}
