import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { quote } from '../../machinery/go/quote.ts';
import { Float64, withoutFloat64 } from '../../machinery/json/float64.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';

/** A total order of JSON values: numbers, strings, booleans, lists, maps, null. (structured-merge-diff value.Compare) */
export function compareValues(left: Json, right: Json): number {
  const rankDifference = rankOf(left) - rankOf(right);
  if (rankDifference !== 0) return rankDifference;
  if (typeof left === 'string') return compareStrings(left, right as string);
  if (Array.isArray(left)) return compareLists(left, right as Json[]);
  if (isJsonObject(left)) return compareMaps(left, right as Record<string, Json>);
  const number = withoutFloat64(left) as number;
  const other = withoutFloat64(right) as number;
  return number < other ? -1 : number > other ? 1 : 0;
}

function rankOf(value: Json): number {
  if (value === null) return 5;
  if (Array.isArray(value)) return 3;
  if (value instanceof Float64) return 0;
  switch (typeof value) {
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    case 'object':
      return 4;
    default:
      return 0;
  }
}

function compareLists(left: readonly Json[], right: readonly Json[]): number {
  for (const [i, item] of left.entries()) {
    const other = right[i];
    if (other === undefined) break;
    const order = compareValues(item, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareMaps(left: Record<string, Json>, right: Record<string, Json>): number {
  const members = Object.entries(left).sort(byName);
  const others = Object.entries(right).sort(byName);
  for (const [i, [name, value]] of members.entries()) {
    const other = others[i];
    if (other === undefined) break;
    const order = compareStrings(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return members.length - others.length;
}

const byName = ([left]: [string, Json], [right]: [string, Json]): number => compareStrings(left, right);

/** Formats a value for paths in messages. (structured-merge-diff value.ToString) */
export function valueToString(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object' || value instanceof Float64) return String(withoutFloat64(value));
  if (Array.isArray(value)) return `[${value.map(valueToString).join(',')}]`;
  return Object.entries(value)
    .map(([key, member]) => `${key}=${valueToString(member)}`)
    .join('');
}
