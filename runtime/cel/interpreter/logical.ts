import { isError, isTagged, noSuchOverload } from '../values/value.ts';
import type { Interpretable } from './execution-frame.ts';

/** The first term that decides; an error only where none does. */
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

/** `a.or(b)` and `a.orValue(b)`: b is only computed where a has no value. */
export function evalOr(left: Interpretable, right: Interpretable, unwrap: boolean): Interpretable {
  return (frame) => {
    const optional = left(frame);
    if (!isTagged(optional, 'optional')) return optional;
    if (optional.value === undefined) return right(frame);
    return unwrap ? optional.value : optional;
  };
}
