import { elementAt } from '../../machinery/collections/element-at.ts';
import type { StructType } from '../checker/declarations.ts';
import { listBaseCost, mapBaseCost, structBaseCost } from '../cost/estimates.ts';
import type { StructField } from '../syntax/ast.ts';
import { ValueList } from '../values/list.ts';
import { type MapKey, mapKey, ValueMap } from '../values/map.ts';
import { formatValue } from '../values/types.ts';
import { CelError, isError, isTagged, type Value } from '../values/value.ts';
import { charge, type Interpretable } from './execution-frame.ts';

const listCost = Number(listBaseCost);
const mapCost = Number(mapBaseCost);
const structCost = Number(structBaseCost);

export function evalList(elements: readonly Interpretable[], optional: readonly boolean[]): Interpretable {
  const items = elements.map((element, i) => ({ element, isOptional: optional[i] === true }));
  return (frame) => {
    const values: Value[] = [];
    let failed: Value | undefined;
    for (const { element, isOptional } of items) {
      const value = element(frame);
      if (isError(value)) {
        failed = value;
        break;
      }
      if (!isOptional) values.push(value);
      else if (!isTagged(value, 'optional')) {
        failed = new CelError(`cannot initialize optional list element from non-optional value ${formatValue(value)}`);
        break;
      } else if (value.value !== undefined) values.push(value.value);
    }
    charge(frame, listCost);
    return failed ?? new ValueList(values);
  };
}

export function evalMap(keys: readonly Interpretable[], values: readonly Interpretable[], optional: readonly boolean[]): Interpretable {
  const pairs = keys.map((key, i) => ({ evalKey: key, evalValue: elementAt(values, i), isOptional: optional[i] === true }));
  return (frame) => {
    const entries = new Map<MapKey, readonly [Value, Value]>();
    let failed: Value | undefined;
    for (const { evalKey, evalValue, isOptional } of pairs) {
      const key = evalKey(frame);
      if (isError(key)) {
        failed = key;
        break;
      }
      let value = evalValue(frame);
      if (isError(value)) {
        failed = value;
        break;
      }
      const form = mapKey(key);
      if (form === undefined || isTagged(key, 'double')) {
        failed = new CelError(`unsupported key type: ${formatValue(key)}`);
        break;
      }
      if (isOptional) {
        if (!isTagged(value, 'optional')) {
          const shown = `'${formatValue(key)}' from non-optional value ${formatValue(value)}`;
          failed = new CelError(`cannot initialize optional entry ${shown}`);
          break;
        }
        if (value.value === undefined) {
          entries.delete(form);
          continue;
        }
        value = value.value;
      }
      if (entries.has(form)) {
        failed = new CelError(`Failed with repeated key: ${formatValue(key)}`);
        break;
      }
      entries.set(form, [key, value]);
    }
    charge(frame, mapCost);
    return failed ?? new ValueMap(entries);
  };
}

/** @param values the values of the fields */
export function evalStruct({ create }: StructType, fields: readonly StructField[], values: readonly Interpretable[]): Interpretable {
  const members = fields.map(({ name, optional }, i) => ({ name, optional, evalValue: elementAt(values, i) }));
  return (frame) => {
    const evaluated = new Map<string, Value>();
    let failed: Value | undefined;
    for (const { name, optional, evalValue } of members) {
      const value = evalValue(frame);
      if (isError(value)) failed = value;
      else if (!optional) evaluated.set(name, value);
      else if (!isTagged(value, 'optional')) {
        failed = new CelError(`cannot initialize optional entry '${name}' from non-optional value ${formatValue(value)}`);
      } else if (value.value === undefined) evaluated.delete(name);
      else evaluated.set(name, value.value);
      if (failed !== undefined) break;
    }
    charge(frame, structCost);
    return failed ?? create(evaluated);
  };
}
