import { ValueList } from '../values/list.ts';
import { ValueMap } from '../values/map.ts';
import { valueType } from '../values/types.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import { charge, type ExecutionFrame, type Interpretable } from './execution-frame.ts';

interface Fold {
  readonly range: Interpretable;
  readonly init: Interpretable;
  /** Returns whether to continue. */
  readonly condition: (frame: ExecutionFrame) => boolean;
  readonly step: Interpretable;
  readonly result: Interpretable;
  /** The slots of the accumulator and the iteration variables. */
  readonly accu: number;
  readonly first: number;
  readonly second: number | undefined;
}

/** Replaces an empty list or map by a mutable one, which the fold may change in place because nothing else refers to it. */
function toMutable(value: Value): Value {
  if (value instanceof ValueList && value.size === 0) return new ValueList([], true);
  if (value instanceof ValueMap && value.size === 0) return new ValueMap(new Map(), true);
  return value;
}

function toImmutable(value: Value): Value {
  if (value instanceof ValueList && value.mutable) return new ValueList(value.items);
  if (value instanceof ValueMap && value.mutable) return new ValueMap(value.entries);
  return value;
}

/** Evaluates the step for each element or key until the condition is false. */
export function evalFold(fold: Fold): Interpretable {
  const { range, init, condition, step, result, accu, first, second } = fold;
  const next = (frame: ExecutionFrame): boolean => {
    if (!condition(frame)) return false;
    frame.slots[accu] = step(frame);
    return true;
  };
  return (frame) => {
    const over = range(frame);
    if (isError(over)) return over;
    const { slots } = frame;
    slots[accu] = toMutable(init(frame));
    if (typeof over !== 'object' || over === null || (over.tag !== 'list' && over.tag !== 'map')) {
      return new CelError(`got '${valueType(over).name}', expected iterable type`);
    }
    if (over.tag === 'list') {
      for (let i = 0; i < over.size; i++) {
        if (second === undefined) slots[first] = over.at(i);
        else {
          slots[first] = i;
          slots[second] = over.at(i);
        }
        if (!next(frame)) break;
      }
    } else {
      for (const key of over.keys()) {
        slots[first] = key;
        if (second !== undefined) slots[second] = over.find(key) as Value;
        if (!next(frame)) break;
      }
    }
    return toImmutable(result(frame));
  };
}

/** Returns the condition of a fold that stops at a value of its accumulator, as `all` does at false. */
export const untilAccumulated =
  (accu: number, stop: boolean): Fold['condition'] =>
  (frame) => {
    charge(frame, stop ? negatedCost : plainCost);
    return frame.slots[accu] !== stop;
  };

/** The cost of `@not_strictly_false(accumulator)`, and of `@not_strictly_false(!accumulator)`. */
const plainCost = 2;
const negatedCost = 3;
