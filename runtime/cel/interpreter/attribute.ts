import { isError, noSuchOverload } from '../values/value.ts';
import type { Interpretable } from './execution-frame.ts';
import { evalQualifier, type Qualifier } from './qualifier.ts';

/**
 * A place that steps lead to. A choice between places is a place too: steps after it go into both, and the root of the
 * chosen one costs nothing. (cel-go interpreter/attributes.go)
 */
export type Attribute =
  | { readonly kind: 'root'; readonly thunk: Interpretable }
  | { readonly kind: 'choice'; readonly test: Interpretable; readonly yes: Attribute; readonly no: Attribute };

export const addQualifier = (place: Attribute, step: Qualifier): Attribute =>
  mapAttribute(place, (root) => evalQualifier(root, step));

export function mapAttribute(place: Attribute, change: (root: Interpretable) => Interpretable): Attribute {
  if (place.kind === 'root') return { kind: 'root', thunk: change(place.thunk) };
  return { ...place, yes: mapAttribute(place.yes, change), no: mapAttribute(place.no, change) };
}

export function evalAttribute(place: Attribute): Interpretable {
  if (place.kind === 'root') return place.thunk;
  const { test } = place;
  const yes = evalAttribute(place.yes);
  const no = evalAttribute(place.no);
  return (frame) => {
    const chosen = test(frame);
    if (chosen === true) return yes(frame);
    if (chosen === false) return no(frame);
    return isError(chosen) ? chosen : noSuchOverload;
  };
}
