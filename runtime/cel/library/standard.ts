import { patternOf } from '../../machinery/patterns/pattern.ts';
import { declare, type FunctionDecl, global, type Implementation, type Library, member } from '../checker/declarations.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  paramType,
  plainTypeType,
  stringType,
  type Type,
  timestampType,
  typeOf,
  uintType,
} from '../types/type.ts';
import { add, divide, modulo, multiply, negate, subtract } from '../values/arithmetic.ts';
import { convert } from '../values/convert.ts';
import { compare, equal } from '../values/equality.ts';
import { runeCount } from '../values/runes.ts';
import { findFirst } from '../values/search.ts';
import type { DatePart } from '../values/time.ts';
import { datePart } from '../values/time.ts';
import { CelError, type Duration, intValue, isError, isTagged, noSuchOverload, type Timestamp, type Value } from '../values/value.ts';

const a = paramType('A');
const b = paramType('B');
const listOfA = listOf(a);
const mapOfAB = mapOf(a, b);

const names: ReadonlyMap<Type, string> = new Map([
  [boolType, 'bool'],
  [intType, 'int64'],
  [uintType, 'uint64'],
  [doubleType, 'double'],
  [stringType, 'string'],
  [bytesType, 'bytes'],
  [timestampType, 'timestamp'],
  [durationType, 'duration'],
]);

type Operator = readonly [id: string, left: Type, right: Type, result: Type];

function operator(name: string, overloads: readonly Operator[], call: Implementation): FunctionDecl {
  return declare(
    name,
    overloads.map(([id, left, right, result]) => global(id, [left, right], result)),
    call,
  );
}

const numbers = [intType, uintType, doubleType];
const ordered = [boolType, intType, uintType, doubleType, stringType, bytesType, timestampType, durationType];

/** Declares comparisons of values of one type, and of numbers of different types. */
function comparison(name: string, prefix: string, holds: (order: number) => boolean): FunctionDecl {
  const overloads: Operator[] = [];
  for (const left of ordered) {
    const id = `${prefix}_${names.get(left)}`;
    overloads.push([id, left, left, boolType]);
    if (!numbers.includes(left)) continue;
    for (const right of numbers) {
      if (right !== left) overloads.push([`${id}_${names.get(right)}`, left, right, boolType]);
    }
  }
  return operator(name, overloads, (left, right) => {
    const order = compare(left, right);
    return typeof order === 'number' ? holds(order) : order;
  });
}

function sameType(prefix: string, types: readonly Type[]): Operator[] {
  return types.map((type) => [`${prefix}_${names.get(type)}`, type, type, type]);
}

function contains(item: Value, aggregate: Value): Value {
  if (isTagged(aggregate, 'map')) {
    const found = aggregate.find(item);
    return found !== undefined && isError(found) ? found : found !== undefined;
  }
  if (!isTagged(aggregate, 'list')) return noSuchOverload;
  for (let i = 0; i < aggregate.size; i++) {
    if (equal(item, aggregate.at(i)) === true) return true;
  }
  return false;
}

function size(value: Value): Value {
  if (typeof value === 'string') return runeCount(value);
  if (isTagged(value, 'list') || isTagged(value, 'map')) return value.size;
  if (isTagged(value, 'bytes')) return value.value.length;
  return new CelError('no such overload: size');
}

const sizes: readonly [string, Type][] = [
  ['bytes', bytesType],
  ['list', listOfA],
  ['map', mapOfAB],
  ['string', stringType],
];

/** Returns the declaration of a conversion function. */
function conversion(to: Type, name: string, from: readonly Type[]): FunctionDecl {
  const toName = names.get(to);
  return declare(
    name,
    from.map((type) => global(`${names.get(type)}_to_${toName}`, [type], to, (value) => convert(value, to))),
  );
}

function matches(text: Value, pattern: Value): Value {
  if (typeof text !== 'string') return new CelError('no such overload: matches');
  if (typeof pattern !== 'string') return noSuchOverload;
  const regex = patternOf(pattern);
  return regex.error === undefined ? regex.test(text) : new CelError(regex.error);
}

function textTest(name: string, id: string, test: (text: string, part: string) => boolean): FunctionDecl {
  return declare(name, [
    member(id, [stringType, stringType], boolType, (text, part) =>
      typeof text === 'string' && typeof part === 'string' ? test(text, part) : noSuchOverload,
    ),
  ]);
}

interface DateFunctionOptions {
  /** Default: 0. */
  readonly firstValue?: 0 | 1;
  /** The id of the overload with a time zone. Default: `<id>_with_tz`. */
  readonly zonedId?: string;
}

function dateFunction(name: string, id: string, part: DatePart, options: DateFunctionOptions = {}): FunctionDecl {
  const { zonedId = `${id}_with_tz` } = options;
  const offset = part === 'day' && options.firstValue !== 1 ? 1 : 0;
  const of = (time: Value, zone: string): Value => {
    const value = datePart(time as Timestamp, part, zone);
    return typeof value === 'number' ? value - offset : value;
  };
  return declare(name, [
    member(id, [timestampType], intType, (time) => of(time, 'UTC')),
    member(zonedId, [timestampType, stringType], intType, (time, zone) => of(time, zone as string)),
  ]);
}

/** Declares a function that returns a duration in whole units. */
function durationPart(name: string, id: string, unit: bigint): FunctionDecl {
  return declare(name, [member(id, [durationType], intType, (duration) => intValue((duration as Duration).value / unit))]);
}

const second = 1_000_000_000n;

const functions: readonly FunctionDecl[] = [
  declare('_?_:_', [global('conditional', [boolType, a, a], a)]),
  declare('_&&_', [global('logical_and', [boolType, boolType], boolType)]),
  declare('_||_', [global('logical_or', [boolType, boolType], boolType)]),
  declare('!_', [global('logical_not', [boolType], boolType, (value) => (typeof value === 'boolean' ? !value : noSuchOverload))]),
  declare('@not_strictly_false', [
    {
      ...global('not_strictly_false', [boolType], boolType, (value) => (typeof value === 'boolean' ? value : true)),
      nonStrict: true,
    },
  ]),
  declare('_==_', [global('equals', [a, a], boolType)], equal),
  declare('_!=_', [global('not_equals', [a, a], boolType)], (left, right) => equal(left, right) !== true),
  operator(
    '_+_',
    [
      ...sameType('add', [bytesType, doubleType, intType, stringType, uintType]),
      ['add_duration_duration', durationType, durationType, durationType],
      ['add_duration_timestamp', durationType, timestampType, timestampType],
      ['add_timestamp_duration', timestampType, durationType, timestampType],
      ['add_list', listOfA, listOfA, listOfA],
    ],
    add,
  ),
  operator(
    '_-_',
    [
      ...sameType('subtract', [doubleType, intType, uintType]),
      ['subtract_duration_duration', durationType, durationType, durationType],
      ['subtract_timestamp_duration', timestampType, durationType, timestampType],
      ['subtract_timestamp_timestamp', timestampType, timestampType, durationType],
    ],
    subtract,
  ),
  operator('_*_', sameType('multiply', [doubleType, intType, uintType]), multiply),
  operator('_/_', sameType('divide', [doubleType, intType, uintType]), divide),
  operator('_%_', sameType('modulo', [intType, uintType]), modulo),
  declare('-_', [global('negate_double', [doubleType], doubleType), global('negate_int64', [intType], intType)], negate),
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
  declare('_[_]', [global('index_list', [listOfA, intType], a), global('index_map', [mapOfAB, a], b)]),
  declare('@in', [global('in_list', [a, listOfA], boolType), global('in_map', [a, mapOfAB], boolType)], contains),
  declare(
    'size',
    sizes.flatMap(([name, type]) => [global(`size_${name}`, [type], intType), member(`${name}_size`, [type], intType)]),
    size,
  ),
  declare('type', [global('type', [a], typeOf(a), (value) => convert(value, plainTypeType))]),
  declare('dyn', [global('to_dyn', [a], dynType, (value) => value)]),
  conversion(boolType, 'bool', [boolType, stringType]),
  conversion(bytesType, 'bytes', [bytesType, stringType]),
  conversion(doubleType, 'double', [doubleType, intType, stringType, uintType]),
  conversion(durationType, 'duration', [durationType, intType, stringType]),
  conversion(intType, 'int', [intType, doubleType, durationType, stringType, timestampType, uintType]),
  conversion(stringType, 'string', [stringType, boolType, bytesType, doubleType, durationType, intType, timestampType, uintType]),
  conversion(timestampType, 'timestamp', [timestampType, intType, stringType]),
  conversion(uintType, 'uint', [uintType, doubleType, intType, stringType]),
  textTest('contains', 'contains_string', (text, part) => findFirst(text, part, 0) >= 0),
  textTest('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
  textTest('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
  declare(
    'matches',
    [global('matches', [stringType, stringType], boolType), member('matches_string', [stringType, stringType], boolType)],
    matches,
  ),
  dateFunction('getFullYear', 'timestamp_to_year', 'year'),
  dateFunction('getMonth', 'timestamp_to_month', 'month'),
  dateFunction('getDayOfYear', 'timestamp_to_day_of_year', 'dayOfYear'),
  dateFunction('getDayOfMonth', 'timestamp_to_day_of_month', 'day'),
  dateFunction('getDate', 'timestamp_to_day_of_month_1_based', 'day', { firstValue: 1 }),
  dateFunction('getDayOfWeek', 'timestamp_to_day_of_week', 'weekday'),
  dateFunction('getHours', 'timestamp_to_hours', 'hours'),
  dateFunction('getMinutes', 'timestamp_to_minutes', 'minutes'),
  dateFunction('getSeconds', 'timestamp_to_seconds', 'seconds', { zonedId: 'timestamp_to_seconds_tz' }),
  dateFunction('getMilliseconds', 'timestamp_to_milliseconds', 'milliseconds'),
  durationPart('getHours', 'duration_to_hours', 3600n * second),
  durationPart('getMinutes', 'duration_to_minutes', 60n * second),
  durationPart('getSeconds', 'duration_to_seconds', second),
  durationPart('getMilliseconds', 'duration_to_milliseconds', 1_000_000n),
];

/** The standard operators and functions. (cel-go common/stdlib/standard.go) */
export const standardLibrary: Library = { name: 'standard', functions };
