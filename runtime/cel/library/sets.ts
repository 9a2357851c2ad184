import { declare, type FunctionDecl, global, type Library } from '../checker/declarations.ts';
import type { CallSite } from '../cost/call-estimate.ts';
import { oneCost, plus, scaled, times } from '../cost/estimates.ts';
import { boolType, listOf, paramType } from '../types/type.ts';
import { equal } from '../values/equality.ts';
import { elements } from '../values/list.ts';
import { valueSize } from '../values/types.ts';
import type { CelList, Value } from '../values/value.ts';

const list = listOf(paramType('T'));

function has(source: CelList, item: Value): boolean {
  for (const other of elements(source)) if (equal(item, other) === true) return true;
  return false;
}

const contains = (source: CelList, part: CelList): boolean => [...elements(part)].every((item) => has(source, item));
const intersects = (source: CelList, other: CelList): boolean => [...elements(source)].some((item) => has(other, item));

/** Declares a function that compares each element of one list with each element of the other. */
function set(name: string, factor: number, test: (a: CelList, b: CelList) => boolean): FunctionDecl {
  return declare(`sets.${name}`, [
    {
      ...global(`list_sets_${name}_list`, [list, list], boolType, (a, b) => test(a as CelList, b as CelList)),
      estimate: ({ args, size }: CallSite) => ({
        cost: plus(scaled(times(size(args[0]), size(args[1])), factor), oneCost),
      }),
      cost: (a, b) => 1 + Math.trunc(valueSize(a) * valueSize(b) * factor),
    },
  ]);
}

/** Functions on lists as sets. (cel-go ext/sets.go) */
export const setsLibrary: Library = {
  name: 'cel.lib.ext.sets',
  functions: [
    set('contains', 1, contains),
    set('equivalent', 2, (a, b) => contains(a, b) && contains(b, a)),
    set('intersects', 1, intersects),
  ],
};
