import { spend } from '../../machinery/event-loop/budget.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { hasNoSurrogates } from './runes.ts';
import type { CelList, CelMap } from './value.ts';
import { CelError, Double, intValue, isError, isInt, noSuchOverload, Uint, type Value } from './value.ts';

/** Returns a bool, or an error if values of library types are not comparable. Numbers of all types compare by value. */
export function equal(a: Value, b: Value): Value {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const type = typeof a;
  if (type === 'object') return equalTagged(a as Exclude<Value, null | string | boolean | number | bigint>, b);
  if ((type === 'number' || type === 'bigint') && typeof b === 'object') return numbersEqual(a, b);
  return false;
}

function numbersEqual(a: Value, b: Value): Value {
  const compared = compareNumbers(a, b);
  return compared === 0;
}

function equalTagged(a: Exclude<Value, null | string | boolean | number | bigint>, b: Value): Value {
  switch (a.tag) {
    case 'double':
    case 'uint':
      return numbersEqual(a, b);
    case 'error':
      return a;
    case 'opaque':
      if (isError(b)) return b;
      return a.equals(b) ?? noSuchOverload;
    default:
  }
  if (b === null || typeof b !== 'object') return false;
  switch (a.tag) {
    case 'bytes':
      return b.tag === 'bytes' && Buffer.compare(a.value, b.value) === 0;
    case 'timestamp':
    case 'duration':
      return b.tag === a.tag && a.value === b.value;
    case 'type':
      return b.tag === 'type' && a.type.name === b.type.name;
    case 'optional':
      if (b.tag !== 'optional') return false;
      if (a.value === undefined || b.value === undefined) return a.value === b.value;
      return equal(a.value, b.value);
    case 'list':
      return b.tag === 'list' ? listsEqual(a, b) : false;
    case 'map':
      return b.tag === 'map' ? mapsEqual(a, b) : false;
  }
}

/** Microseconds per item. The cost of a comparison is 0.1 for each item, independent of its size. */
const perItem = 0.1;

function listsEqual(a: CelList, b: CelList): Value {
  if (a.semantics) return a.semantics.equal(a, b);
  return orderedEqual(a, b, true);
}

/** @param lenient treats errors of comparing elements as equality, as lists of values do */
export function orderedEqual(a: CelList, b: CelList, lenient: boolean): Value {
  if (a.size !== b.size) return false;
  spend(a.size * perItem);
  for (let i = 0; i < a.size; i++) {
    const same = equal(a.at(i), b.at(i));
    if (same === false || (same !== true && !lenient)) return same;
  }
  return true;
}

function mapsEqual(a: CelMap, b: CelMap): Value {
  if (a.equal) return a.equal(b);
  if (a.size !== b.size) return false;
  spend(a.size * perItem);
  for (const key of a.keys()) {
    const other = b.find(key);
    if (other === undefined || isError(other)) return false;
    if (equal(a.find(key) as Value, other) === false) return false;
  }
  return true;
}

/** Returns -1, 0 or 1; undefined if one of the values is NaN or not a number. */
export function compareNumbers(a: Value, b: Value): number | undefined {
  if (isInt(a) && isInt(b)) return a < b ? -1 : a > b ? 1 : 0;
  const left = a instanceof Uint ? intValue(a.value) : a;
  const right = b instanceof Uint ? intValue(b.value) : b;
  if (isInt(left) && isInt(right)) return left < right ? -1 : left > right ? 1 : 0;
  const x = left instanceof Double ? left.value : isInt(left) ? Number(left) : undefined;
  const y = right instanceof Double ? right.value : isInt(right) ? Number(right) : undefined;
  if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y)) return undefined;
  return x < y ? -1 : x > y ? 1 : 0;
}

const notOrdered = new CelError('NaN values cannot be ordered');

/** Returns -1, 0 or 1, or an error if the values are not comparable. */
export function compare(a: Value, b: Value): number | CelError {
  if (isError(a)) return a;
  if (isError(b)) return b;
  switch (typeof a) {
    case 'number':
      if (typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
      return compareMixed(a, b);
    case 'bigint':
      return compareMixed(a, b);
    case 'string':
      return typeof b === 'string' ? compareText(a, b) : noSuchOverload;
    case 'boolean':
      return typeof b === 'boolean' ? Number(a) - Number(b) : noSuchOverload;
    default:
  }
  if (a === null || typeof a !== 'object') return noSuchOverload;
  if (a.tag === 'double' || a.tag === 'uint') return compareMixed(a, b);
  if (b === null || typeof b !== 'object' || b.tag !== a.tag) return noSuchOverload;
  if (a.tag === 'bytes' && b.tag === 'bytes') return Buffer.compare(a.value, b.value);
  if ((a.tag === 'timestamp' && b.tag === 'timestamp') || (a.tag === 'duration' && b.tag === 'duration')) {
    return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  }
  return noSuchOverload;
}

function compareMixed(a: Value, b: Value): number | CelError {
  const compared = compareNumbers(a, b);
  if (compared !== undefined) return compared;
  return isNumber(b) ? notOrdered : noSuchOverload;
}

const isNumber = (value: Value): boolean =>
  isInt(value) || (typeof value === 'object' && value !== null && (value.tag === 'double' || value.tag === 'uint'));

/** Compares by code points. Strings without surrogates are compared natively, which is faster for long ones. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (hasNoSurrogates(a) && hasNoSurrogates(b)) return a < b ? -1 : 1;
  return Math.sign(compareStrings(a, b));
}
