import { spend } from '../../machinery/event-loop/budget.ts';
import { maxUint64 } from '../../machinery/scalars/integers.ts';
import { declare, global, type Library, member, type Overload } from '../checker/declarations.ts';
import type { AstNode, CallEstimate, CallSite } from '../cost/call-estimate.ts';
import { type Estimate, fixed, plus, scaled, stringTraversalFactor, times } from '../cost/estimates.ts';
import type { Expr } from '../syntax/ast.ts';
import { iterationVariables, listFold, type Macro, MacroError } from '../syntax/macros.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  paramType,
  stringType,
  type Type,
  timestampType,
  uintType,
} from '../types/type.ts';
import { compare, equal } from '../values/equality.ts';
import { elements, toArray, ValueList } from '../values/list.ts';
import { valueSize, valueType } from '../values/types.ts';
import { CelError, type CelList, isInt, isTagged, noSuchOverload, type Value } from '../values/value.ts';

const list = listOf(paramType('T'));
/** The maximum number of elements in a result: more than the cost limit of an expression allows to visit. */
const maxListElements = 2_000_000;
const comparable: readonly Type[] = [intType, uintType, doubleType, boolType, durationType, timestampType, stringType, bytesType];

/** The cost of a call that creates a list: 1 for the call, 10 for the list, and `factor` for each element. */
const allocating = (factor: number, size: Estimate): CallEstimate => ({
  cost: plus(scaled(size, factor), fixed(11n)),
  size,
});
const allocatingCost = (factor: number, size: number): number => Math.trunc(size * factor) + 11;

function literalInt(node: AstNode | undefined, otherwise: bigint): bigint {
  const expr = node?.expr;
  if (expr?.kind !== 'literal' || !isInt(expr.value)) return otherwise;
  return expr.value < 0 ? 0n : BigInt(expr.value);
}

/** Appends the items of nested lists to `out`. Returns false if there are too many. */
function flatten(items: CelList, depth: number, out: Value[]): boolean {
  spend(items.size * 0.05);
  for (const item of elements(items)) {
    if (depth > 0 && isTagged(item, 'list')) {
      if (!flatten(item, depth - 1, out)) return false;
    } else if (out.push(item) > maxListElements) return false;
  }
  return true;
}

function flattened(source: Value, depth: number): Value {
  if (!isTagged(source, 'list')) return noSuchOverload;
  const out: Value[] = [];
  return flatten(source, depth, out) ? new ValueList(out) : new CelError('the list is too large');
}

function slice(source: CelList, start: number, end: number): Value {
  const fail = (why: string): CelError => new CelError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0 || end < 0) return fail('negative indexes not supported');
  if (start > end) return fail('start index must be less than or equal to end index');
  if (source.size < end) return fail(`list is length ${source.size}`);
  return new ValueList(Array.from({ length: end - start }, (_, i) => source.at(start + i)));
}

function sortByKeys(source: CelList, keys: CelList): Value {
  if (source.size !== keys.size) {
    return new CelError(
      '@sortByAssociatedKeys() expected a list of the same size as the associated keys list, ' +
        `but got ${source.size} and ${keys.size} elements respectively`,
    );
  }
  const pairs = toArray(source).map((item, i) => ({ item, key: keys.at(i) }));
  const [first] = pairs;
  if (first && pairs.some(({ key }) => valueType(key).name !== valueType(first.key).name)) {
    return new CelError('list elements must have the same type');
  }
  let failed: CelError | undefined;
  pairs.sort((a, b) => {
    const order = compare(a.key, b.key);
    if (typeof order === 'number') return order;
    failed ??= order;
    return 0;
  });
  if (failed) return pairs.length > 1 ? new CelError('list elements must be comparable') : source;
  return new ValueList(pairs.map(({ item }) => item));
}

function distinct(source: CelList): Value {
  const unique: Value[] = [];
  for (let i = 0; i < source.size; i++) {
    const item = source.at(i);
    if (!unique.some((other) => equal(item, other) === true)) unique.push(item);
  }
  return new ValueList(unique);
}

/**
 * Returns the cost of comparing each item with every other, for sorting and finding duplicates. Strings and bytes cost
 * a bit more.
 */
function selfCompareCost(source: CelList): number {
  const first = source.size === 0 ? undefined : source.at(0);
  const text = typeof first === 'string' || (first !== undefined && isTagged(first, 'bytes'));
  return allocatingCost(text ? 2 + stringTraversalFactor : 2, source.size * source.size);
}

function sortEstimate(type: Type, of: (call: CallSite) => AstNode | undefined) {
  const factor = type === stringType || type === bytesType ? 2 + stringTraversalFactor : 2;
  return (call: CallSite): CallEstimate | undefined => {
    const node = of(call);
    if (!node) return undefined;
    const size = call.size(node);
    return allocating(factor, times(size, size));
  };
}

const sortOverloads = comparable.map(
  (type): Overload => ({
    ...member(`list_${type.name}_sort`, [listOf(type)], listOf(type), (source) => sortByKeys(source as CelList, source as CelList)),
    estimate: sortEstimate(type, ({ target }) => target),
    cost: (source) => selfCompareCost(source as CelList),
  }),
);

const sortByOverloads = comparable.map(
  (type): Overload => ({
    ...member(`list_${type.name}_sortByAssociatedKeys`, [list, listOf(type)], list, (source, keys) =>
      sortByKeys(source as CelList, keys as CelList),
    ),
    estimate: sortEstimate(type, ({ args }) => args[0]),
    cost: (_list, keys) => selfCompareCost(keys as CelList),
  }),
);

const sortByMacro: Macro = {
  name: 'sortBy',
  receiver: true,
  args: 2,
  expand(make, target, variable, element) {
    const operand = target as Expr;
    if (!['list', 'select', 'ident', 'comprehension', 'call'].includes(operand.kind)) {
      const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
      return new MacroError(operand.id, message);
    }
    const vars = iterationVariables([variable], 'argument is not an identifier');
    if (vars instanceof MacroError) return vars;
    const input = '@__sortBy_input__';
    const keys = listFold(make, { range: make.ident(input), vars, element });
    return make.bind(input, operand, make.memberCall('@sortByAssociatedKeys', make.ident(input), keys));
  },
};

/** Returns the cost of creating a list as long as the target. */
const ownSize = (source: Value): number => allocatingCost(1, valueSize(source));

/** Invalid arguments count as one element. */
function sliceSize(source: Value, start: Value, end: Value): number {
  const [from, to] = [Number(start), Number(end)];
  const fits = from >= 0 && from <= to && to <= valueSize(source);
  return allocatingCost(1, fits ? to - from : 1);
}

function rangeSize(end: Value): number {
  const count = Math.max(0, Number(end));
  return allocatingCost(1, count > maxListElements ? 1 : count);
}

function flattenedSize(list: Value, depth: Value = 1): number {
  return allocatingCost(Number(depth), valueSize(list));
}

const flattenEstimate = (call: CallSite): CallEstimate | undefined => {
  if (!call.target) return undefined;
  const depth = call.args.length === 1 ? literalInt(call.args[0], maxUint64) : 1n;
  return allocating(Number(depth), call.size(call.target));
};

/** slice, flatten, sort, sortBy, range, reverse, distinct. (cel-go ext/lists.go, version 3) */
export const listsLibrary: Library = {
  name: 'cel.lib.ext.lists',
  macros: [sortByMacro],
  functions: [
    declare('slice', [
      {
        ...member('list_slice', [list, intType, intType], list, (source, start, end) =>
          slice(source as CelList, Number(start), Number(end)),
        ),
        estimate: ({ target, args, size }) => {
          if (!target) return undefined;
          const start = literalInt(args[0], 0n);
          const end = literalInt(args[1], size(target).max);
          return allocating(1, fixed(BigInt.asUintN(64, end - start)));
        },
        cost: sliceSize,
      },
    ]),
    declare('flatten', [
      {
        ...member('list_flatten', [listOf(list)], list, (source) => flattened(source, 1)),
        disableTypeGuards: true,
        estimate: flattenEstimate,
        cost: flattenedSize,
      },
      {
        ...member('list_flatten_int', [listOf(dynType), intType], listOf(dynType), (source, depth) =>
          Number(depth) < 0 ? new CelError('level must be non-negative') : flattened(source, Number(depth)),
        ),
        disableTypeGuards: true,
        estimate: flattenEstimate,
        cost: flattenedSize,
      },
    ]),
    declare('sort', sortOverloads),
    declare('@sortByAssociatedKeys', sortByOverloads),
    declare('lists.range', [
      {
        ...global('lists_range', [intType], listOf(intType), range),
        estimate: ({ args }) => allocating(1, fixed(literalInt(args[0], maxUint64))),
        cost: rangeSize,
      },
    ]),
    declare('reverse', [
      {
        ...member('list_reverse', [list], list, (source) => new ValueList([...toArray(source as CelList)].reverse())),
        estimate: ({ target, size }) => target && allocating(1, size(target)),
        cost: ownSize,
      },
    ]),
    declare('distinct', [
      {
        ...member('list_distinct', [list], list, (source) => distinct(source as CelList)),
        estimate: ({ target, size }) => target && allocating(2, times(size(target), size(target))),
        cost: (source) => selfCompareCost(source as CelList),
      },
    ]),
  ],
};

function range(end: Value): Value {
  const count = Math.max(0, Number(end));
  if (count > maxListElements) return new CelError(`range of ${end} elements is too large`);
  return new ValueList(Array.from({ length: count }, (_, i) => i));
}
