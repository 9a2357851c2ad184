import { unescapeProperty } from '../types/escaping.ts';
import { JsonMap, type ObjectShape } from '../values/json.ts';
import type { Adapter } from '../values/json-list.ts';
import { indexOutOfRange } from '../values/list.ts';
import { formatValue, valueType } from '../values/types.ts';
import { CelError, Double, intValue, isInt, none, Optional, Uint, type Value } from '../values/value.ts';
import { charge, type ExecutionFrame, type Interpretable } from './execution-frame.ts';

/** Selects a part of a value: `.name`, `[key]`, `.?name`, `[?key]`. (cel-go interpreter.Qualifier) */
export interface Qualifier {
  /** A constant key. */
  readonly constant?: Value;
  /** Evaluates the key if it is not constant. */
  readonly key?: Interpretable;
  /** An absent part is optional.none() instead of an error. */
  readonly optional: boolean;
}

/** Finds a property of objects. Caches how the property is read from objects of the last shape. */
class PropertyLookup {
  readonly #escaped: string;
  readonly #name: string | undefined;
  readonly #inherited: boolean;
  #shape: ObjectShape | undefined;
  #property = '';
  #adapter: Adapter | undefined;

  constructor(escaped: string) {
    this.#escaped = escaped;
    this.#name = unescapeProperty(escaped);
    this.#inherited = escaped in Object.prototype || (this.#name ?? '') in Object.prototype;
  }

  find(map: JsonMap): Value | undefined {
    const { shape } = map;
    if (shape !== this.#shape) {
      this.#shape = shape;
      const name = shape.hasProperties ? this.#name : this.#escaped;
      this.#adapter = name === undefined ? undefined : shape.property(name);
      this.#property = name ?? '';
    }
    if (!this.#adapter || (this.#inherited && !Object.hasOwn(map.json, this.#property))) return undefined;
    const json = map.json[this.#property];
    if (json === undefined || (json === null && shape.hasProperties)) return undefined;
    return this.#adapter.nativeToValue(json);
  }
}

const noSuchKey = (key: Value): CelError => new CelError(`no such key: ${formatValue(key)}`);

/** Returns undefined if the value has no such part, or an error if it cannot have one. */
function qualify(value: Value, key: Value): Value | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (value.tag === 'map') return value.find(key);
  if (value.tag === 'error') return value;
  if (value.tag !== 'list') return undefined;
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < value.size ? value.at(Number(index)) : undefined;
}

function listIndex(key: Value): number | bigint | CelError {
  if (isInt(key)) return key;
  if (key instanceof Uint) return intValue(key.value);
  if (key instanceof Double && Number.isInteger(key.value)) return key.value;
  if (key instanceof Double) return new CelError(`unsupported index value ${formatValue(key)} in list`);
  return new CelError(`unsupported index type '${valueType(key).name}' in list`);
}

function missing(value: Value, key: Value): CelError {
  return typeof value === 'object' && value !== null && value.tag === 'list'
    ? indexOutOfRange(showKey(key))
    : noSuchKey(key);
}

const showKey = (key: Value): Value => (isInt(key) ? key : formatValue(key));

const isKey = (key: Value): boolean =>
  key !== null && (typeof key !== 'object' || key.tag === 'uint' || key.tag === 'double');

/** Applies a qualifier to a value or an optional value. Costs 1. */
export function evalQualifier(operand: Interpretable, qualifier: Qualifier): Interpretable {
  const { constant, key: compute, optional } = qualifier;
  if (typeof constant === 'string' && !optional) return evalProperty(operand, constant);
  return (frame) => {
    const value = operand(frame);
    if (typeof value === 'object' && value !== null) {
      if (value.tag === 'error') return value;
      if (value.tag === 'optional') return qualifyOptional(frame, value, qualifier);
    }
    const key = constant === undefined ? (compute as Interpretable)(frame) : constant;
    if (typeof key === 'object' && key !== null && key.tag === 'error') return key;
    if (optional) return optionalQualifier(frame, value, key);
    charge(frame, 1);
    if (!isKey(key)) return new CelError(`invalid qualifier type: ${valueType(key).name}`);
    return qualifyOrError(value, key);
  };
}

function qualifyOrError(value: Value, key: Value): Value {
  const found = qualify(value, key);
  return found === undefined ? missing(value, key) : found;
}

function evalProperty(operand: Interpretable, name: string): Interpretable {
  const lookup = new PropertyLookup(name);
  const absent = noSuchKey(name);
  const qualifier: Qualifier = { constant: name, optional: false };
  return (frame) => {
    const value = operand(frame);
    if (value instanceof JsonMap) {
      charge(frame, 1);
      const found = lookup.find(value);
      return found === undefined ? absent : found;
    }
    if (typeof value === 'object' && value !== null) {
      if (value.tag === 'error') return value;
      if (value.tag === 'optional') return qualifyOptional(frame, value, qualifier);
    }
    charge(frame, 1);
    return qualifyOrError(value, name);
  };
}

/** Parts of an optional value are optional. */
function qualifyOptional(frame: ExecutionFrame, value: Optional, { constant, key: compute }: Qualifier): Value {
  if (value.value === undefined) return none;
  const key = constant === undefined ? (compute as Interpretable)(frame) : constant;
  if (typeof key === 'object' && key !== null && key.tag === 'error') return key;
  return optionalQualifier(frame, value.value, key);
}

function optionalQualifier(frame: ExecutionFrame, value: Value, key: Value): Value {
  const found = qualify(value, key);
  if (found === undefined) return none;
  charge(frame, 1);
  return typeof found === 'object' && found !== null && found.tag === 'error' ? found : new Optional(found);
}

/** `has(operand.name)`. Costs 1. */
export function evalPresence(operand: Interpretable, name: string): Interpretable {
  const lookup = new PropertyLookup(name);
  return (frame) => {
    const value = operand(frame);
    if (value instanceof JsonMap) {
      charge(frame, 1);
      const found = lookup.find(value);
      return found !== undefined && typeof found === 'object' && found !== null && found.tag === 'error'
        ? found
        : found !== undefined;
    }
    if (typeof value === 'object' && value !== null) {
      if (value.tag === 'error') return value;
      if (value.tag === 'optional') {
        if (value.value === undefined) return false;
        charge(frame, 1);
        return qualify(value.value, name) !== undefined;
      }
    }
    charge(frame, 1);
    const found = qualify(value, name);
    if (found !== undefined && typeof found === 'object' && found !== null && found.tag === 'error') return found;
    return found !== undefined;
  };
}
