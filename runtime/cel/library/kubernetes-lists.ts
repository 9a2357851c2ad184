import { spend } from '../../machinery/event-loop/budget.ts';
import { declare, type FunctionDecl, type Library, member } from '../checker/declarations.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listOf,
  paramType,
  stringType,
  type Type,
  timestampType,
  uintType,
} from '../types/type.ts';
import { add } from '../values/arithmetic.ts';
import { compare, equal } from '../values/equality.ts';
import { elements } from '../values/list.ts';
import { CelError, type CelList, Double, Duration, isError, Uint, type Value } from '../values/value.ts';

const a = paramType('A');

const comparable: readonly [string, Type][] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

const zeroes: readonly [string, Type, Value][] = [
  ['int', intType, 0],
  ['uint', uintType, new Uint(0n)],
  ['double', doubleType, new Double(0)],
  ['duration', durationType, new Duration(0n)],
];

function isSorted(list: CelList): Value {
  spend(list.size * perItem);
  let previous: Value | undefined;
  for (const item of elements(list)) {
    if (previous !== undefined) {
      const order = compare(previous, item);
      if (order === 1) return false;
    }
    previous = item;
  }
  return true;
}

/** Declares min or max. Of equal items, the first one is returned. */
function extreme(name: 'min' | 'max', sign: number): FunctionDecl {
  const pick = (list: CelList): Value => {
    spend(list.size * perItem);
    let best: Value | undefined;
    for (const item of elements(list)) {
      if (best === undefined || compare(best, item) === sign) best = item;
    }
    return best ?? new CelError(`${name} called on empty list`);
  };
  return declare(
    name,
    comparable.map(([id, type]) => member(`list_${id}_${name}_${id}`, [listOf(type)], type, (list) => pick(list as CelList))),
  );
}

function sum(zero: Value): (list: Value) => Value {
  return (list) => {
    let total = zero;
    for (const item of elements(list as CelList)) {
      total = add(total, item);
      if (isError(total)) return total;
    }
    return total;
  };
}

/** Microseconds per item. The cost depends on the length of items, and is almost zero for short ones. */
const perItem = 0.1;

function position(list: CelList, item: Value, from: number, step: 1 | -1): number {
  spend(list.size * perItem);
  for (let i = from; i >= 0 && i < list.size; i += step) {
    if (equal(list.at(i), item) === true) return i;
  }
  return -1;
}

/** isSorted, sum, min, max, indexOf, lastIndexOf. (apiserver pkg/cel/library/lists.go) */
export const kubernetesListsLibrary: Library = {
  name: 'kubernetes.lists',
  functions: [
    declare(
      'isSorted',
      comparable.map(([id, type]) => member(`list_${id}_is_sorted_bool`, [listOf(type)], boolType, (list) => isSorted(list as CelList))),
    ),
    declare(
      'sum',
      zeroes.map(([id, type, zero]) => member(`list_${id}_sum_${id}`, [listOf(type)], type, sum(zero))),
    ),
    extreme('max', -1),
    extreme('min', 1),
    declare('indexOf', [member('list_a_index_of_int', [listOf(a), a], intType, (list, item) => position(list as CelList, item, 0, 1))]),
    declare('lastIndexOf', [
      member('list_a_last_index_of_int', [listOf(a), a], intType, (list, item) =>
        position(list as CelList, item, (list as CelList).size - 1, -1),
      ),
    ]),
  ],
};
