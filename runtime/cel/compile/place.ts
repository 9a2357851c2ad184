import { isError, noSuchOverload } from '../values/value.ts';
import type { Thunk } from './frame.ts';
import { type Step, stepThunk } from './qualify.ts';

/**
 * A place that steps lead to. A choice between places is a place too: steps after it go into both, and the root of the
 * chosen one costs nothing. (cel-go interpreter/attributes.go)
 */
export type Place =
  | { readonly kind: 'root'; readonly thunk: Thunk }
  | { readonly kind: 'choice'; readonly test: Thunk; readonly yes: Place; readonly no: Place };

export const stepped = (place: Place, step: Step): Place => mapPlace(place, (root) => stepThunk(root, step));

export function mapPlace(place: Place, change: (root: Thunk) => Thunk): Place {
  if (place.kind === 'root') return { kind: 'root', thunk: change(place.thunk) };
  return { ...place, yes: mapPlace(place.yes, change), no: mapPlace(place.no, change) };
}

export function placeThunk(place: Place): Thunk {
  if (place.kind === 'root') return place.thunk;
  const { test } = place;
  const yes = placeThunk(place.yes);
  const no = placeThunk(place.no);
  return (frame) => {
    const chosen = test(frame);
    if (chosen === true) return yes(frame);
    if (chosen === false) return no(frame);
    return isError(chosen) ? chosen : noSuchOverload;
  };
}
