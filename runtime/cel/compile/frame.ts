import type { Value } from '../values/value.ts';

/** One evaluation: the variables' values and what has been spent. */
export interface Frame {
  /** Undefined: the variable has no value. */
  readonly slots: (Value | undefined)[];
  cost: number;
  readonly limit: number;
}

/** A compiled expression. */
export type Thunk = (frame: Frame) => Value;

/** Thrown where an evaluation has cost more than it may. */
export class CostExceeded {
  readonly isCostExceeded = true;
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

export function isCostExceeded(error: unknown): error is CostExceeded {
  return (error as CostExceeded | undefined)?.isCostExceeded === true;
}

const exceeded = new CostExceeded();

export function charge(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.limit) throw exceeded;
}
