import { spend } from '../../machinery/event-loop/budget.ts';
import { goType } from '../../machinery/go/type.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { Float64, withoutFloat64 } from '../../machinery/json/float64.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { itemSchema, valueSchema, withTypeAndObjectMeta } from '../types/decl-type.ts';
import { escapeProperty, unescapeProperty } from '../types/escaping.ts';
import { equal } from './equality.ts';
import { parseFormatted } from './json-formats.ts';
import { type Adapter, JsonList, valueToJson } from './json-list.ts';
import { memberNames } from './member-names.ts';
import type { CelMap } from './value.ts';
import { CelError, Double, intValue, isError, noSuchOverload, type Value } from './value.ts';

const adapters = new WeakMap<JsonSchema, Adapter>();

/** Returns the adapter of a schema node. (apiserver pkg/cel/common/valuesunstructured.go) */
function schemaAdapter(schema: JsonSchema): Adapter {
  let adapter = adapters.get(schema);
  if (!adapter) {
    adapter = newAdapter(schema);
    adapters.set(schema, adapter);
  }
  return adapter;
}

/** Converts JSON to a value of the schema's type, or of a dynamic type without a schema. */
export function jsonValue(json: Json, schema?: JsonSchema): Value {
  return schema ? schemaAdapter(schema).nativeToValue(json) : dynAdapter.nativeToValue(json);
}

const nullNotAllowed = new CelError('invalid data, got null for schema with nullable=false');

function newAdapter(schema: JsonSchema): Adapter {
  const convert = conversionOf(schema);
  const onNull = schema.nullable === true ? null : nullNotAllowed;
  return { nativeToValue: (json) => (json === null || json === undefined ? onNull : convert(json)) };
}

function conversionOf(schema: JsonSchema): (json: Json) => Value {
  if (schema['x-kubernetes-int-or-string']) return intOrStringFromJson;
  switch (schema.type) {
    case 'object':
      return objectConversion(schema);
    case 'array':
      return arrayConversion(schema);
    case 'string':
      return schema.format === undefined ? stringFromJson : stringConversion(schema.format);
    case 'number':
      return doubleFromJson;
    case 'integer':
      return intFromJson;
    case 'boolean':
      return boolFromJson;
    default:
  }
  if (schema['x-kubernetes-preserve-unknown-fields']) return (json) => new UnknownPreserved(json);
  return () =>
    new CelError(
      'invalid type, expected object, array, number, integer, boolean or string, or no type with ' +
        `x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
    );
}

const typeMismatch = (expected: string, json: Json): CelError => new CelError(`invalid data, expected ${expected}, got ${goType(json)}`);

function intFromJson(json: Json): Value {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json + 0 : largeIntFromJson(json);
  return typeof json === 'bigint' ? intValue(json) : typeMismatch('int', json);
}

const largeIntFromJson = (json: number): Value =>
  Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? intValue(BigInt(json)) : typeMismatch('int', json);

const doubleFromJson = (json: Json): Value =>
  typeof json === 'number' || typeof json === 'bigint' || json instanceof Float64
    ? new Double(Number(withoutFloat64(json)))
    : typeMismatch('float', json);
const boolFromJson = (json: Json): Value => (typeof json === 'boolean' ? json : typeMismatch('bool', json));
const stringFromJson = (json: Json): Value => (typeof json === 'string' ? json : typeMismatch('string', json));

function stringConversion(format: string): (json: Json) => Value {
  return (json) => (typeof json === 'string' ? (parseFormatted(format, json) ?? json) : typeMismatch('string', json));
}

function intOrStringFromJson(json: Json): Value {
  if (typeof json === 'string') return json;
  const value = intFromJson(json);
  if (!isError(value)) return value;
  return new CelError('invalid data, expected XIntOrString value to be either a string or integer');
}

function objectConversion(schema: JsonSchema): (json: Json) => Value {
  const shape = new ObjectShape(schema);
  return (json) =>
    isJsonObject(json) ? new JsonMap(json, shape) : new CelError('invalid data, expected a map for the provided schema with type=object');
}

function arrayConversion(schema: JsonSchema): (json: Json) => Value {
  const items = itemSchema(schema);
  if (!items) return () => new CelError('invalid array type, expected Items with a non-empty Schema');
  const type = schema['x-kubernetes-list-type'];
  if (type !== undefined && type !== 'map' && type !== 'set' && type !== 'atomic') {
    return () => new CelError(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${type}`);
  }
  let adapter: Adapter | undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return (json) => {
    if (!Array.isArray(json)) {
      return new CelError('invalid data, expected an array for the provided schema with type=array');
    }
    adapter ??= schemaAdapter(items);
    return new JsonList(json, adapter, type, keys);
  };
}

/** The properties of an object schema. */
export class ObjectShape {
  /** Whether properties are declared. Their names are then escaped, and null counts as absent. */
  readonly hasProperties: boolean;
  readonly #properties: Readonly<Record<string, JsonSchema>>;
  readonly #values: JsonSchema | undefined;
  readonly #found = new Map<string, Adapter | undefined>();

  constructor(schema: JsonSchema) {
    const full = schema['x-kubernetes-embedded-resource'] ? withTypeAndObjectMeta(schema) : schema;
    this.hasProperties = full.properties !== undefined;
    this.#properties = full.properties ?? {};
    this.#values = this.hasProperties || schema['x-kubernetes-embedded-resource'] ? undefined : valueSchema(schema);
  }

  /**
   * Returns the adapter of a property; undefined if it is not declared.
   *
   * @param name the unescaped name
   */
  property(name: string): Adapter | undefined {
    if (this.#values) return schemaAdapter(this.#values);
    if (this.#found.has(name)) return this.#found.get(name);
    const schema = Object.hasOwn(this.#properties, name) ? this.#properties[name] : undefined;
    const adapter = schema && schemaAdapter(schema);
    this.#found.set(name, adapter);
    return adapter;
  }
}

/** Microseconds to compare a member. The cost is 0.1 for each member. */
const perMember = 0.3;

/** A JSON object with a schema. */
export class JsonMap implements CelMap {
  readonly tag = 'map';
  readonly json: JsonObject;
  readonly shape: ObjectShape;

  constructor(json: JsonObject, shape: ObjectShape) {
    this.json = json;
    this.shape = shape;
  }

  get size(): number {
    return memberNames(this.json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return noSuchOverload;
    const name = this.shape.hasProperties ? unescapeProperty(key) : key;
    return name === undefined ? undefined : this.property(name);
  }

  /** @param name the unescaped name */
  property(name: string): Value | undefined {
    if (!Object.hasOwn(this.json, name)) return undefined;
    const json = this.json[name];
    if (json === undefined || (json === null && this.shape.hasProperties)) return undefined;
    return this.shape.property(name)?.nativeToValue(json);
  }

  *keys(): Generator<Value> {
    const { hasProperties } = this.shape;
    for (const name of memberNames(this.json)) {
      if (this.shape.property(name) !== undefined) yield hasProperties ? (escapeProperty(name) ?? name) : name;
    }
  }

  equal(other: CelMap): Value {
    if (this.size !== other.size) return false;
    spend(this.size * perMember);
    for (const name of memberNames(this.json)) {
      if (this.shape.property(name)) {
        const mine = this.find(name);
        const theirs = other.find(name);
        if ((mine === undefined) !== (theirs === undefined)) return false;
        if (mine === undefined || theirs === undefined) continue;
        const same = equal(mine, theirs);
        if (same !== true) return same;
        continue;
      }
      if (!(other instanceof JsonMap)) return noSuchOverload;
      if (Object.hasOwn(other.json, name) && !equalJson(this.json[name], other.json[name])) return false;
    }
    return true;
  }
}

/** A value of a schema without a type. Expressions can only compare it. */
class UnknownPreserved {
  readonly tag = 'opaque';
  readonly type = { kind: 'opaque', name: 'unknown', params: [] } as const;
  readonly json: Json;

  constructor(json: Json) {
    this.json = json;
  }

  equals(other: Value): boolean {
    return equalJson(this.json, valueToJson(other));
  }
}

/** A JSON object without a schema. Member names are not escaped. */
export class DynMap implements CelMap {
  readonly tag = 'map';
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }

  get size(): number {
    return memberNames(this.json).length;
  }

  find(key: Value): Value | undefined {
    const member = typeof key === 'string' && Object.hasOwn(this.json, key) ? this.json[key] : undefined;
    return member === undefined ? undefined : dynAdapter.nativeToValue(member);
  }

  keys(): Iterable<Value> {
    return memberNames(this.json);
  }
}

const dynAdapter: Adapter = {
  nativeToValue(json) {
    if (json === null || json === undefined) return null;
    if (typeof json === 'bigint') return intValue(json);
    if (typeof json === 'number') return Number.isSafeInteger(json) ? json + 0 : new Double(json);
    if (typeof json !== 'object') return json;
    if (json instanceof Float64) return new Double(json.value);
    return Array.isArray(json) ? new JsonList(json, dynAdapter) : new DynMap(json);
  },
};
