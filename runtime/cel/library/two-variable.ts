import { elementAt } from '../../machinery/collections/element-at.ts';
import { declare, global, type Library } from '../checker/declarations.ts';
import type { Expr } from '../syntax/ast.ts';
import { iterationVariables, listFold, type Macro, MacroError, quantifierMacros } from '../syntax/macros.ts';
import { mapOf, paramType } from '../types/type.ts';
import { mapKey, ValueMap } from '../values/map.ts';
import { formatValue } from '../values/types.ts';
import { CelError, isTagged, noSuchOverload, type Value } from '../values/value.ts';

const k = paramType('K');
const v = paramType('V');
const mapKV = mapOf(k, v);

function insert(map: ValueMap, key: Value, value: Value): Value {
  const form = mapKey(key);
  if (form === undefined) return new CelError(`unsupported key type: ${formatValue(key)}`);
  if (map.entries.has(form)) return new CelError(`insert failed: key ${formatValue(key)} already exists`);
  const entries = map.mutable ? map.entries : new Map(map.entries);
  entries.set(form, [key, value]);
  return map.mutable ? map : new ValueMap(entries);
}

function insertAll(map: Value, update: Value): Value {
  if (!(map instanceof ValueMap) || !isTagged(update, 'map')) return noSuchOverload;
  let result: Value = map;
  for (const key of update.keys()) {
    result = insert(result as ValueMap, key, update.find(key) as Value);
    if (isTagged(result, 'error')) return result;
  }
  return result;
}

/** Returns `transformList`, `transformMap` or `transformMapEntry`, with 3 arguments, or with 4 if there is a filter. */
function transform(name: string, args: 3 | 4): Macro {
  return {
    name,
    receiver: true,
    args,
    expand(make, target, first, second, ...rest) {
      const vars = iterationVariables([first, second], 'argument must be a simple name');
      if (vars instanceof MacroError) return vars;
      const range = target as Expr;
      const [filter, body] = args === 4 ? [elementAt(rest, 0), elementAt(rest, 1)] : [undefined, elementAt(rest, 0)];
      if (name === 'transformList') return listFold(make, { range, vars, element: body, filter });
      const inserted =
        name === 'transformMap'
          ? make.call('cel.@mapInsert', make.accumulator(), make.ident(vars[0]), body)
          : make.call('cel.@mapInsert', make.accumulator(), body);
      return make.fold({
        range,
        vars,
        init: make.map(),
        condition: make.literal(true),
        step: filter ? make.call('_?_:_', filter, inserted, make.accumulator()) : inserted,
        result: make.accumulator(),
      });
    },
  };
}

/** Macros over index and value, or key and value. (cel-go ext/comprehensions.go) */
export const twoVariableLibrary: Library = {
  name: 'cel.lib.ext.comprev2',
  macros: [
    ...quantifierMacros(2),
    ...['transformList', 'transformMap', 'transformMapEntry'].flatMap((name) => [transform(name, 3), transform(name, 4)]),
  ],
  functions: [
    declare('cel.@mapInsert', [
      global('@mapInsert_map_map', [mapKV, mapKV], mapKV, insertAll),
      global('@mapInsert_map_key_value', [mapKV, k, v], mapKV, (map, key, value) =>
        map instanceof ValueMap ? insert(map, key, value) : noSuchOverload,
      ),
    ]),
  ],
};
