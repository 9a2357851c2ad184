import { declare, global, type Library, member } from '../checker/declarations.ts';
import type { Expr } from '../syntax/ast.ts';
import { type Macro, MacroError } from '../syntax/macros.ts';
import { boolType, dynType, intType, listOf, mapOf, optionalOf, optionalTypeValue, paramType, stringType } from '../types/type.ts';
import { elements, ValueList } from '../values/list.ts';
import { CelError, isTagged, none, Optional, type Value } from '../values/value.ts';

const k = paramType('K');
const v = paramType('V');
const optionalV = optionalOf(v);
const listV = listOf(v);
const mapKV = mapOf(k, v);

const noValue = new CelError('optional.none() dereference');

function dereference(optional: Value): Value {
  const { value } = optional as Optional;
  return value === undefined ? noValue : value;
}

/** Reports whether the value is empty, zero, null or false. */
export function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  if (typeof value !== 'object') return false;
  switch (value.tag) {
    case 'double':
      return value.value === 0;
    case 'uint':
    case 'duration':
      return value.value === 0n;
    case 'timestamp':
      return value.value === -62_135_596_800n * 1_000_000_000n;
    case 'bytes':
      return value.value.length === 0;
    case 'list':
    case 'map':
      return value.size === 0;
    case 'opaque':
      return value.isZero?.() ?? false;
    default:
      return false;
  }
}

function unwrap(list: Value): Value {
  const values: Value[] = [];
  if (!isTagged(list, 'list')) return new CelError('no such overload');
  for (const item of elements(list)) {
    if (!isTagged(item, 'optional')) return new CelError(`value ${String(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return new ValueList(values);
}

/** Declares `x.optMap(v, f(v))`, which evaluates the function only if x has a value. */
function optionalMacro(name: string, wrap: boolean): Macro {
  return {
    name,
    receiver: true,
    args: 2,
    expand(make, target, variable, body) {
      if (variable.kind !== 'ident') {
        return new MacroError(variable.id, `${name}() variable name must be a simple identifier`);
      }
      const operand = target as Expr;
      const present = make.memberCall('hasValue', operand);
      const bound = make.bind(variable.name, make.memberCall('value', make.copy(operand)), body);
      return make.call('_?_:_', present, wrap ? make.call('optional.of', bound) : bound, make.call('optional.none'));
    },
  };
}

const edge = (id: string, at: (size: number) => number) =>
  member(id, [listV], optionalV, (list) => (isTagged(list, 'list') && list.size > 0 ? new Optional(list.at(at(list.size))) : none));

/** Optional values: `a.?b`, `a[?b]`, `optional.of(x)`. (cel-go cel/library.go) */
export const optionalLibrary: Library = {
  name: 'cel.lib.optional',
  types: [optionalTypeValue],
  macros: [optionalMacro('optMap', true), optionalMacro('optFlatMap', false)],
  functions: [
    declare('optional.of', [global('optional_of', [v], optionalV, (value) => new Optional(value))]),
    declare('optional.ofNonZeroValue', [
      global('optional_ofNonZeroValue', [v], optionalV, (value) => (isZero(value) ? none : new Optional(value))),
    ]),
    declare('optional.none', [global('optional_none', [], optionalV, () => none)]),
    declare('value', [member('optional_value', [optionalV], v, dereference)]),
    declare('hasValue', [member('optional_hasValue', [optionalV], boolType, (optional) => (optional as Optional).value !== undefined)]),
    declare('or', [member('optional_or_optional', [optionalV, optionalV], optionalV)]),
    declare('orValue', [member('optional_orValue_value', [optionalV, v], v)]),
    declare('_?._', [global('select_optional_field', [dynType, stringType], optionalV)]),
    declare('_[?_]', [
      global('list_optindex_optional_int', [listV, intType], optionalV),
      global('optional_list_optindex_optional_int', [optionalOf(listV), intType], optionalV),
      global('map_optindex_optional_value', [mapKV, k], optionalV),
      global('optional_map_optindex_optional_value', [optionalOf(mapKV), k], optionalV),
    ]),
    declare('_[_]', [
      global('optional_list_index_int', [optionalOf(listV), intType], optionalV),
      global('optional_map_index_value', [optionalOf(mapKV), k], optionalV),
    ]),
    declare('last', [edge('list_last', (size) => size - 1)]),
    declare('first', [edge('list_first', () => 0)]),
    declare('optional.unwrap', [global('optional_unwrap', [listOf(optionalV)], listV, unwrap)]),
    declare('unwrapOpt', [member('optional_unwrapOpt', [listOf(optionalV)], listV, unwrap)]),
  ],
};
