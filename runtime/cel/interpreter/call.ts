import type { Implementation, Overload } from '../checker/declarations.ts';
import { authorizationCheckCost } from '../cost/estimate-libraries.ts';
import type { CallCost } from '../cost/runtime-cost.ts';
import type { Expr, NodeId } from '../syntax/ast.ts';
import { isDyn, sameType, type Type } from '../types/type.ts';
import { hasRuntimeType, valueType } from '../values/types.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import { charge, chargeUntimed, type Interpretable } from './execution-frame.ts';

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

/** Evaluates the arguments and makes a call whose cost tells nothing of its time. */
function evalCallOutsideBudget(args: readonly Interpretable[], call: Implementation, price: number): Interpretable {
  return (frame) => {
    const values: Value[] = [];
    for (const arg of args) {
      const value = arg(frame);
      if (isError(value)) return value;
      values.push(value);
    }
    chargeUntimed(frame, price);
    return call(...values);
  };
}

/**
 * Evaluates the arguments, counts the call, and makes it. What it costs is known by its arguments, so one that costs too
 * much is not made.
 */
export function evalCall(
  args: readonly Interpretable[],
  call: Implementation,
  cost: CallCost,
  lenient: boolean,
): Interpretable {
  const count = typeof cost === 'number' ? undefined : cost;
  const price = typeof cost === 'number' ? cost : 0;
  if (price >= authorizationCheckCost) return evalCallOutsideBudget(args, call, price);
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
        charge(frame, count ? count([a]) : price);
        return !lenient && isError(a) ? a : call(a);
      };
    }
    case 2: {
      const [first, second] = args;
      return (frame) => {
        const a = first(frame);
        const b = second(frame);
        charge(frame, count ? count([a, b]) : price);
        return isError(a) ? a : isError(b) ? b : call(a, b);
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
        charge(frame, count ? count(values) : price);
        return call(...values);
      };
  }
}
