import { Float64, withoutFloat64 } from './float64.ts';
import { isJsonObject, memberOf } from './values.ts';

/**
 * Reports deep equality of JSON-shaped values. Undefined members count as absent; the order of members does not matter.
 * 5.0 does not equal 5, as in Go.
 */
export function equalJson(a: unknown, b: unknown): boolean {
  return equal(a, b, never);
}

/** Reports deep equality as equalJson does, but 5.0 equals 5, as in stored JSON. */
export function equalNumerically(a: unknown, b: unknown): boolean {
  return equal(a, b, isSameNumber);
}

/**
 * Reports deep equality as equalNumerically does, but a float equals every integer that rounds to it.
 * (structured-merge-diff value/value.go EqualsUsing)
 */
export function equalAsFloats(a: unknown, b: unknown): boolean {
  return equal(a, b, isSameFloat);
}

/**
 * Reports whether two values are equal numbers. Called for values that are not identical, and not both objects or
 * lists.
 */
type NumberEquality = (a: unknown, b: unknown) => boolean;

const never: NumberEquality = () => false;
const isSameNumber: NumberEquality = (a, b) => withoutFloat64(a) === withoutFloat64(b);
const isSameFloat: NumberEquality = (a, b) => {
  if (typeof a === 'bigint') return typeof b === 'number' && Number(a) === b;
  return typeof b === 'bigint' ? Number(b) === a : isSameNumber(a, b);
};

function equal(a: unknown, b: unknown, isEqualNumber: NumberEquality): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEqualNumber(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!equal(a[index], b[index], isEqualNumber)) return false;
    return true;
  }
  if (a instanceof Float64) return b instanceof Float64 && a.value === b.value;
  return !Array.isArray(b) && !(b instanceof Float64) && equalMembers(a as JsonLike, b as JsonLike, isEqualNumber);
}

type JsonLike = Readonly<Record<string, unknown>>;

function equalMembers(a: JsonLike, b: JsonLike, isEqualNumber: NumberEquality): boolean {
  let unmatched = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !equal(a[key], b[key], isEqualNumber)) return false;
    unmatched++;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) unmatched--;
  return unmatched === 0;
}

/**
 * Reports deep equality of values that may be unpruned, as results that code puts together. An absent value equals an
 * empty or zero one at any depth, so a pointer to zero equals nil. For pruned values, see equalPruned.
 */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmptyValue(a) && isEmptyValue(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => semanticDeepEqual(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return equalJson(a, b);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => semanticDeepEqual(memberOf(a, key), memberOf(b, key)));
}

/**
 * Reports equality.Semantic.DeepEqual of two pruned values. An empty list equals an absent one, and null an empty map.
 * Other empty values differ from absent ones, because pruning keeps them only as pointers and as members of maps:
 * `{ partition: 0 }`, `""` and `{}` are changes.
 */
export function equalPruned(a: unknown, b: unknown): boolean {
  if (a === b || (isNothing(a) && isNothing(b))) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return (a === null && isEmptyObject(b)) || (b === null && isEmptyObject(a));
  }
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalPruned(item, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return equalJson(a, b);
  for (const key of Object.keys(a)) if (!equalPruned(a[key], memberOf(b, key))) return false;
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && !isNothing(b[key])) return false;
  return true;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || (Array.isArray(value) && value.length === 0);
const isEmptyObject = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  value === 0 ||
  (value instanceof Float64 && value.value === 0) ||
  (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.values(value).every(isEmptyValue));

/** JSON with sorted members, so that equal values have equal text, as Go encodes maps. */
export function stableText(value: unknown): string {
  if (typeof value === 'bigint' || value instanceof Float64) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  const members = Object.entries(value as Record<string, unknown>);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stableText(member)}`).join(',')}}`;
}
