import { isError, isTagged, noSuchOverload } from '../values/value.ts';
import type { Interpretable } from './execution-frame.ts';

/** Returns the decisive value if one of the terms has it, even if the other term is an error. */
export function evalLogical(left: Interpretable, right: Interpretable, decisive: boolean): Interpretable {
  return (frame) => {
    const first = left(frame);
    if (first === decisive) return decisive;
    const second = right(frame);
    if (second === decisive) return decisive;
    if (typeof first !== 'boolean') return isError(first) ? first : noSuchOverload;
    if (typeof second !== 'boolean') return isError(second) ? second : noSuchOverload;
    return !decisive;
  };
}

/** `a.or(b)` and `a.orValue(b)`: evaluates b only if a has no value. */
export function evalOr(left: Interpretable, right: Interpretable, unwrap: boolean): Interpretable {
  return (frame) => {
    const optional = left(frame);
    if (!isTagged(optional, 'optional')) return optional;
    if (optional.value === undefined) return right(frame);
    return unwrap ? optional.value : optional;
  };
}
