import type { Overload } from '../checker/declarations.ts';
import { FormatValue } from '../library/format.ts';
import { elements } from '../values/list.ts';
import { runeCount } from '../values/runes.ts';
import { valueSize } from '../values/types.ts';
import { isTagged, type Value } from '../values/value.ts';
import { authorizationCheckCost } from './estimate-libraries.ts';

/** The cost of a call, fixed or computed from the arguments before the call. */
export type CallCost = number | ((...args: Value[]) => number);

const walk = (size: number): number => Math.ceil(size * 0.1);
const regexWalk = (runeCount: number, patternSize: number): number => Math.ceil((1 + runeCount) * 0.1) * Math.ceil(patternSize * 0.25);

const traverseTarget: CallCost = (target: Value) => walk(valueSize(target));
const traverseTargetTwice: CallCost = (target: Value) => Math.ceil(valueSize(target) * 2 * 0.1);

/** Returns the cost of traversing a value with all its parts. */
function traversal(value: Value): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * 0.1);
  if (value === null || typeof value !== 'object') return 1;
  switch (value.tag) {
    case 'bytes':
      return Math.trunc(value.value.length * 0.1);
    case 'list': {
      let cost = 0;
      for (const item of elements(value)) cost += traversal(item);
      return cost;
    }
    case 'map': {
      let cost = 0;
      for (const key of value.keys()) cost += traversal(key) + traversal(value.find(key) ?? null);
      return cost;
    }
    default:
      return 1;
  }
}

const smaller = (a: Value, b: Value): number => walk(Math.min(valueSize(a), valueSize(b)));

function equality(a: Value, b: Value): number {
  if (typeof a === 'number' || typeof a === 'boolean') return 1;
  if (typeof a === 'object' && a !== null && a.tag === 'opaque') return 1;
  return smaller(a, b);
}

function containsIp(textOverload: string, more: (cidr: number) => number): (overload: string) => CallCost {
  return (overload) => {
    const withText = overload === textOverload;
    return (cidr: Value, other: Value) => {
      const size = valueSize(cidr);
      return walk(size + size) + more(size) + (withText ? walk(valueSize(other)) : 0);
    };
  };
}

/** Invalid arguments count as one character. */
function joinedSize(list: Value, separator: Value): number {
  if (!isTagged(list, 'list')) return 1;
  let size = Math.max(0, list.size - 1) * valueSize(separator);
  for (const item of elements(list)) {
    if (typeof item !== 'string') return 1;
    size += runeCount(item);
  }
  return size;
}

type ByOverload = (overload: string) => CallCost;

const always =
  (cost: CallCost): ByOverload =>
  () =>
    cost;

const byName: ReadonlyMap<string, ByOverload> = new Map<string, ByOverload>([
  ['check', always(authorizationCheckCost)],
  ...each('serviceAccount path group resource subresource namespace name allowed reason error errored', always(1)),
  ...each(
    'fieldSelector labelSelector',
    always((_decision: Value, selector: Value) => {
      const size = valueSize(selector);
      return 10 + walk(size) + Math.ceil(Math.ceil(size * 0.5) * 50);
    }),
  ),
  ...each(
    'isSorted sum max min indexOf lastIndexOf',
    always((target: Value) => traversal(target)),
  ),
  ...each('url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr isIP isCIDR', always(traverseTarget)),
  ...each('quantity isQuantity semver isSemver', always(traverseTarget)),
  ...each('replace split ip.isCanonical', always(traverseTargetTwice)),
  ['join', always((list: Value, separator: Value = '') => Math.ceil(joinedSize(list, separator) * 2 * 0.1))],
  ...each(
    'find findAll',
    always((text: Value, pattern: Value) => regexWalk(valueSize(text), valueSize(pattern))),
  ),
  ['ip', (overload) => (overload === 'cidr_ip' ? 1 : traverseTarget)],
  ['containsIP', containsIp('cidr_contains_ip_string', () => 0)],
  ['containsCIDR', containsIp('cidr_contains_cidr_string', (cidr) => walk(cidr) + 1)],
  [
    'validate',
    always((format: Value, text: Value) => (format instanceof FormatValue ? regexWalk(valueSize(text), format.maxRegexSize) : 1)),
  ],
  ['_==_', always(equality)],
]);

function each(names: string, rule: ByOverload): [string, ByOverload][] {
  return names.split(' ').map((name) => [name, rule]);
}

const byOverload: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...['starts_with_string', 'ends_with_string', 'string_to_bytes', 'bytes_to_string', 'strings_quote', 'string_format'].map(
    (id): [string, CallCost] => [id, traverseTarget],
  ),
  ['in_list', (_item: Value, list: Value) => valueSize(list)],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((id): [string, CallCost][] => [
    [`${id}_string`, smaller],
    [`${id}_bytes`, smaller],
  ]),
  ['not_equals', smaller],
  ['add_string', (a: Value, b: Value) => walk(stringOrSize(a) + stringOrSize(b))],
  ['add_bytes', (a: Value, b: Value) => walk(stringOrSize(a) + stringOrSize(b))],
  ['matches_string', (text: Value, pattern: Value) => regexWalk(valueSize(text), valueSize(pattern))],
  ['contains_string', (text: Value, part: Value) => walk(valueSize(text)) * walk(valueSize(part))],
]);

const stringOrSize = (value: Value): number => (typeof value === 'string' ? runeCount(value) : valueSize(value));

/**
 * Returns the cost of calls of a function.
 *
 * @param overloadId empty if the checker left several candidates
 * (apiserver pkg/cel/library/cost.go CallCost, cel-go interpreter/runtimecost.go)
 */
export function callCost(name: string, overloadId: string, overload: Overload | undefined): CallCost {
  if (overload?.cost) return overload.cost;
  return byName.get(name)?.(overloadId) ?? byOverload.get(overloadId) ?? 1;
}
