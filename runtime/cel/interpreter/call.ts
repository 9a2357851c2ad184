import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Implementation, Overload } from '../checker/declarations.ts';
import { authorizationCheckCost } from '../cost/estimate-libraries.ts';
import type { CallCost } from '../cost/runtime-cost.ts';
import type { Expr, NodeId } from '../syntax/ast.ts';
import { isDyn, sameType, type Type } from '../types/type.ts';
import { hasRuntimeType, valueType } from '../values/types.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import { charge, chargeUntimed, type ExecutionFrame, type Interpretable } from './execution-frame.ts';

function noOverload(name: string, args: readonly Value[]): Value {
  return new CelError(`no such overload: ${name}(${args.map((arg) => valueType(arg).name).join(', ')})`);
}

/** Reports whether the checker has proved that the argument has the parameter's type. */
function isProved(param: Type, argType: Type | undefined): boolean {
  if (isDyn(param) || param.kind === 'param') return true;
  if (!argType) return false;
  const isConcrete = (type: Type): boolean => !isDyn(type) && type.kind !== 'param' && type.params.every(isConcrete);
  if (param.kind === 'list' && argType.kind === 'list' && param.params[0]?.kind === 'param') return true;
  if (param.kind === 'map' && argType.kind === 'map' && param.params.every(({ kind }) => kind === 'param')) return true;
  if (param.name === 'optional_type' && argType.name === 'optional_type' && param.params[0]?.kind === 'param') return true;
  return isConcrete(argType) && sameType(param, argType);
}

/** A call with its overload, chosen by the checker or at run time. */
export interface CallTarget {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The implementation of all overloads. */
  readonly call: Implementation | undefined;
}

/**
 * Returns the implementation of a call: the only candidate overload, or the one that matches the arguments at run time.
 *
 * @param types the operands' types that the checker proved; undefined for unchecked expressions
 */
export function chooseCall(
  { name, overloads, call: shared }: CallTarget,
  operands: readonly Expr[],
  types: ReadonlyMap<NodeId, Type> | undefined,
): Implementation {
  if (shared) return shared;
  const [only, ...others] = overloads;
  if (only && others.length === 0) {
    const call = only.call ?? (() => noOverload(name, []));
    const unproved = only.params.flatMap((param, i) => (isProved(param, types?.get(elementAt(operands, i).id)) ? [] : [{ param, i }]));
    if (unproved.length === 0 || only.nonStrict || only.disableTypeGuards) return call;
    return (...args) =>
      unproved.every(({ param, i }) => hasRuntimeType(param, elementAt(args, i))) ? call(...args) : noOverload(name, args);
  }
  return (...args) => {
    const match = overloads.find(
      ({ params, call }) => call && params.length === args.length && params.every((param, i) => hasRuntimeType(param, elementAt(args, i))),
    );
    return match?.call ? match.call(...args) : noOverload(name, args);
  };
}

/** Evaluates the arguments. Returns the first error instead if there is one. */
function evalArguments(args: readonly Interpretable[], frame: ExecutionFrame): Value[] | CelError {
  const values: Value[] = [];
  for (const arg of args) {
    const value = arg(frame);
    if (isError(value)) return value;
    values.push(value);
  }
  return values;
}

/** Evaluates the arguments, charges the cost of the call, and makes the call unless the cost exceeds the limit. */
export function evalCall(args: readonly Interpretable[], call: Implementation, cost: CallCost, nonStrict: boolean): Interpretable {
  const computeCost = typeof cost === 'number' ? undefined : cost;
  const fixedCost = typeof cost === 'number' ? cost : 0;
  if (fixedCost >= authorizationCheckCost) {
    return (frame) => {
      const values = evalArguments(args, frame);
      if (!Array.isArray(values)) return values;
      chargeUntimed(frame, fixedCost);
      return call(...values);
    };
  }
  const [first, second, third] = args;
  if (!first) {
    return (frame) => {
      charge(frame, fixedCost);
      return call();
    };
  }
  if (!second) {
    return (frame) => {
      const a = first(frame);
      charge(frame, computeCost ? computeCost(a) : fixedCost);
      return !nonStrict && isError(a) ? a : call(a);
    };
  }
  if (!third) {
    return (frame) => {
      const a = first(frame);
      const b = second(frame);
      charge(frame, computeCost ? computeCost(a, b) : fixedCost);
      return isError(a) ? a : isError(b) ? b : call(a, b);
    };
  }
  return (frame) => {
    const values = evalArguments(args, frame);
    if (!Array.isArray(values)) return values;
    charge(frame, computeCost ? computeCost(...values) : fixedCost);
    return call(...values);
  };
}

/** Like `evalCall`, with a constant as the second argument. */
export function evalCallWithConstant(arg: Interpretable, constant: Value, call: Implementation, cost: CallCost): Interpretable {
  if (typeof cost === 'number') {
    if (cost >= authorizationCheckCost) return evalCall([arg, () => constant], call, cost, false);
    return (frame) => {
      const value = arg(frame);
      charge(frame, cost);
      return isError(value) ? value : call(value, constant);
    };
  }
  return (frame) => {
    const value = arg(frame);
    charge(frame, cost(value, constant));
    return isError(value) ? value : call(value, constant);
  };
}
