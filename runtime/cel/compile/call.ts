import type { Implementation, Overload } from '../check/declarations.ts';
import type { CallCost } from '../cost/runtime.ts';
import type { Expr, NodeId } from '../syntax/ast.ts';
import { isDyn, sameType, type Type } from '../types/type.ts';
import { hasRuntimeType, valueType } from '../values/types.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import { charge, type Thunk } from './frame.ts';

function noOverload(name: string, args: readonly Value[]): Value {
  return new CelError(`no such overload: ${name}(${args.map((arg) => valueType(arg).name).join(', ')})`);
}

/** Whether the checker has shown the argument to be of the parameter's type. */
function isProven(param: Type, known: Type | undefined): boolean {
  if (isDyn(param) || param.kind === 'param') return true;
  if (!known) return false;
  const sure = (type: Type): boolean => !isDyn(type) && type.kind !== 'param' && type.params.every(sure);
  if (param.kind === 'list' && known.kind === 'list' && param.params[0]?.kind === 'param') return true;
  if (param.kind === 'map' && known.kind === 'map' && param.params.every(({ kind }) => kind === 'param')) return true;
  if (param.name === 'optional_type' && known.name === 'optional_type' && param.params[0]?.kind === 'param')
    return true;
  return sure(known) && sameType(param, known);
}

/** What computes a call: the one overload, or whichever fits the arguments' types. */
export function chooseCall(
  name: string,
  overloads: readonly Overload[],
  shared: Implementation | undefined,
  operands: readonly Expr[],
  types: ReadonlyMap<NodeId, Type> | undefined,
): Implementation {
  if (shared) return shared;
  if (overloads.length === 1) {
    const [only] = overloads;
    const call = only.call ?? (() => noOverload(name, []));
    const unproven = only.params.flatMap((param, i) =>
      isProven(param, types?.get(operands[i].id)) ? [] : [{ param, i }],
    );
    if (unproven.length === 0 || only.lenient || only.unguarded) return call;
    return (...args) =>
      unproven.every(({ param, i }) => hasRuntimeType(param, args[i])) ? call(...args) : noOverload(name, args);
  }
  return (...args) => {
    const fitting = overloads.find(
      ({ params, call }) =>
        call && params.length === args.length && params.every((param, i) => hasRuntimeType(param, args[i])),
    );
    return fitting?.call ? fitting.call(...args) : noOverload(name, args);
  };
}

/** Evaluates the arguments, calls, and counts the call. */
export function callThunk(args: readonly Thunk[], call: Implementation, cost: CallCost, lenient: boolean): Thunk {
  const count = typeof cost === 'number' ? undefined : cost;
  const price = typeof cost === 'number' ? cost : 0;
  switch (args.length) {
    case 0:
      return (frame) => {
        charge(frame, price);
        return call();
      };
    case 1: {
      const [first] = args;
      return (frame) => {
        const a = first(frame);
        const result = !lenient && isError(a) ? a : call(a);
        charge(frame, count ? count([a], result) : price);
        return result;
      };
    }
    case 2: {
      const [first, second] = args;
      return (frame) => {
        const a = first(frame);
        const b = second(frame);
        const result = isError(a) ? a : isError(b) ? b : call(a, b);
        charge(frame, count ? count([a, b], result) : price);
        return result;
      };
    }
    default:
      return (frame) => {
        const values: Value[] = [];
        for (const arg of args) {
          const value = arg(frame);
          if (isError(value)) return value;
          values.push(value);
        }
        const result = call(...values);
        charge(frame, count ? count(values, result) : price);
        return result;
      };
  }
}
