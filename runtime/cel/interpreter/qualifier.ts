import { indexOutOfRange } from '../values/list.ts';
import { formatValue, valueType } from '../values/types.ts';
import { CelError, Double, intValue, isInt, none, Optional, Uint, type Value } from '../values/value.ts';
import { charge, type ExecutionFrame, type Interpretable } from './execution-frame.ts';

/** Selects a part of a value: `.name`, `[key]`, `.?name`, `[?key]`. (cel-go interpreter.Qualifier) */
export interface Qualifier {
  /** A constant key. */
  readonly constant?: Value;
  /** Evaluates the key if it is not constant. */
  readonly key?: Interpretable;
  /** Whether an absent part is optional.none() instead of an error. */
  readonly optional: boolean;
}

export const noSuchKey = (key: Value): CelError => new CelError(`no such key: ${formatValue(key)}`);

/** Returns the selected part; undefined if the value lacks it, or an error if it cannot have one. */
export function qualify(value: Value, key: Value): Value | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (value.tag === 'map') return value.find(key);
  if (value.tag === 'error') return value;
  if (value.tag !== 'list') return undefined;
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < value.size ? value.at(Number(index)) : undefined;
}

function listIndex(key: Value): number | bigint | CelError {
  if (isInt(key)) return key;
  if (key instanceof Uint) return intValue(key.value);
  if (key instanceof Double && Number.isInteger(key.value)) return key.value;
  if (key instanceof Double) return new CelError(`unsupported index value ${formatValue(key)} in list`);
  return new CelError(`unsupported index type '${valueType(key).name}' in list`);
}

function missing(value: Value, key: Value): CelError {
  return typeof value === 'object' && value !== null && value.tag === 'list' ? indexOutOfRange(showKey(key)) : noSuchKey(key);
}

const showKey = (key: Value): Value => (isInt(key) ? key : formatValue(key));

const isKey = (key: Value): boolean => key !== null && (typeof key !== 'object' || key.tag === 'uint' || key.tag === 'double');

/** Applies a qualifier other than a property to a value or an optional value. Costs 1. */
export function evalQualifier(operand: Interpretable, qualifier: Qualifier): Interpretable {
  const { constant, key: compute, optional } = qualifier;
  return (frame) => {
    const value = operand(frame);
    if (typeof value === 'object' && value !== null) {
      if (value.tag === 'error') return value;
      if (value.tag === 'optional') return qualifyOptional(frame, value, qualifier);
    }
    const key = constant === undefined ? (compute as Interpretable)(frame) : constant;
    if (typeof key === 'object' && key !== null && key.tag === 'error') return key;
    if (optional) return optionalQualifier(frame, value, key);
    charge(frame, 1);
    if (!isKey(key)) return new CelError(`invalid qualifier type: ${valueType(key).name}`);
    return qualifyOrError(value, key);
  };
}

export function qualifyOrError(value: Value, key: Value): Value {
  const found = qualify(value, key);
  return found === undefined ? missing(value, key) : found;
}

/** Selects a part of an optional value. The result is optional. */
export function qualifyOptional(frame: ExecutionFrame, value: Optional, { constant, key: compute }: Qualifier): Value {
  if (value.value === undefined) return none;
  const key = constant === undefined ? (compute as Interpretable)(frame) : constant;
  if (typeof key === 'object' && key !== null && key.tag === 'error') return key;
  return optionalQualifier(frame, value.value, key);
}

function optionalQualifier(frame: ExecutionFrame, value: Value, key: Value): Value {
  const found = qualify(value, key);
  if (found === undefined) return none;
  charge(frame, 1);
  return typeof found === 'object' && found !== null && found.tag === 'error' ? found : new Optional(found);
}
