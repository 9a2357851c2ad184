import { quote } from '../../machinery/go/quote.ts';
import type { Json } from '../../machinery/object.ts';

/** Order of the UTF-8 bytes, as Go's strings.Compare. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    // surrogates stand for code points above all others, though their own numbers are lower than some
    const bothHigh = a >= 0xd800 && b >= 0xd800;
    return bothHigh && isSurrogate(a) !== isSurrogate(b) ? (isSurrogate(a) ? 1 : -1) : a - b;
  }
  return left.length - right.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** A total order of JSON values: numbers, text, booleans, lists, maps, null. (structured-merge-diff value.Compare) */
export function compareValues(left: Json, right: Json): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  if (typeof left === 'string') return compareText(left, right as string);
  if (Array.isArray(left)) return compareLists(left, right as Json[]);
  if (typeof left === 'object' && left !== null) return compareMaps(left, right as Record<string, Json>);
  const other = right as number;
  return (left as number) < other ? -1 : (left as number) > other ? 1 : 0;
}

function rankOf(value: Json): number {
  if (value === null) return 5;
  if (Array.isArray(value)) return 3;
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
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareValues(left[i], right[i]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareMaps(left: Record<string, Json>, right: Record<string, Json>): number {
  const names = Object.keys(left).sort(compareText);
  const others = Object.keys(right).sort(compareText);
  for (let i = 0; i < names.length && i < others.length; i++) {
    const order = compareText(names[i], others[i]) || compareValues(left[names[i]], right[others[i]]);
    if (order !== 0) return order;
  }
  return names.length - others.length;
}

/** A value as paths in messages show it. (structured-merge-diff value.ToString) */
export function valueText(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  return Object.keys(value)
    .map((key) => `${key}=${valueText(value[key])}`)
    .join('');
}
