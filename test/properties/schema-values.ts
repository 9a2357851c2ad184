import { readFileSync } from 'node:fs';
import type { TestObject, TestValue } from '../support/test-object.ts';

/** Returns an integer in [0, max]. 0 makes the simplest value, so that properties shrink to it. */
export type Draw = (max: number) => number;

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** A new value of one field. */
export interface Change {
  readonly path: readonly (string | number)[];
  readonly value: TestValue;
}

/** The choice of values within their types. */
export interface Style {
  /** Sometimes adds null to objects, lists and maps, and times that Go writes as null or cannot read. */
  readonly wild: boolean;
  /** Returns a text that a field of the name has somewhere, or another one. */
  text(name: string, draw: Draw): string;
}

/** The maximum members of a value. Later ones are simple. */
const maxMembers = 150;
const integers = [0, 1, 2, -1, 80, 100, 600, 65535, 65536, 2 ** 31 - 1, -(2 ** 31)];
const largeIntegers = [...integers, 2 ** 31, 2 ** 53 - 1, 2 ** 60, -(2 ** 60)];
const quantities = ['0', '1', '500m', '1Gi', '-1', '1e3', '0.1', '1500', '1n', '9E', '100Ei', 2, 0.5];
const times = ['2026-01-01T00:00:00Z', '2020-02-29T23:59:59Z', '9999-12-31T23:59:59Z'];
const microTimes = ['2026-01-01T00:00:00.000000Z', '2020-02-29T23:59:59.123456Z'];
const wildTimes = [...times, ...microTimes, '0001-01-01T00:00:00Z', '2026-01-01T00:00:00+25:00'];
const intsOrTexts = [0, 1, 80, -1, 65536, 2 ** 31 - 1, '50%', '101%', 'http', '', '0', '80'];
const bytes = ['', 'YQ==', '//79', 'LS0tLS1CRUdJTg=='];
const untyped = [{}, { a: 1 }, { kind: 'A', apiVersion: 'b/v1', metadata: { name: 'n' } }, { kind: '' }, { a: [null] }];
const keys = ['a', '', 'cpu', 'memory', 'hugepages-2Mi', 'x.io/y', 'kubernetes.io/hostname', 'A_B', '/', 'requests.storage'];

const timesOf = (reference: Schema): readonly string[] => (JSON.stringify(reference).includes('.MicroTime"') ? microTimes : times);

/** Random values of the types of one OpenAPI v3 document. */
export class SchemaValues {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #style: Style;
  #left = 0;

  constructor(file: string, style: Style) {
    this.#schemas = JSON.parse(readFileSync(file, 'utf8')).components.schemas;
    this.#style = style;
  }

  /** Returns an object of a kind without metadata. Each member is more likely present than absent. */
  object({ group, version, kind }: { group: string; version: string; kind: string }, draw: Draw): TestObject {
    this.#left = maxMembers;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const object: TestObject = { apiVersion, kind, metadata: {} };
    for (const [name, schema] of Object.entries(this.#schemaOf({ group, version, kind }).properties ?? {})) {
      if (name in object || draw(4) === 0) continue;
      object[name] = this.#value(schema, name, draw);
    }
    return object;
  }

  /**
   * A random change of one field somewhere in an object: its path as the keys of members and the indexes of items, and its
   * new value; undefined if it is removed. Members on the way may be missing.
   */
  change(object: TestObject, gvk: { group: string; version: string; kind: string }, draw: Draw): Change {
    this.#left = maxMembers;
    let schema = this.#schemaOf(gvk);
    let at: TestValue = object;
    const path: (string | number)[] = [];
    for (let depth = 0; depth < 14; depth++) {
      schema = this.#resolved(schema);
      const isList = schema.items !== undefined;
      const names = keysToChange(schema, at, depth, draw);
      if (names.length === 0) break;
      const key = names[draw(names.length - 1)];
      path.push(key);
      const inner = isList ? schema.items : (schema.properties?.[key] ?? schema.additionalProperties);
      if (inner === undefined) break;
      at = at?.[key];
      schema = inner;
      if (draw(5) === 5) break;
    }
    return { path, value: this.#newValue(schema, at, String(path.at(-1)), draw) };
  }

  #newValue(schema: Schema, before: TestValue, name: string, draw: Draw): TestValue {
    switch (draw(11)) {
      case 9:
        return undefined;
      case 10:
        return null;
      case 11: {
        const { type, properties, additionalProperties } = this.#resolved(schema);
        if (type === 'array') return draw(1) === 0 || !Array.isArray(before) ? [] : [...before, ...before.slice(0, 1)];
        if (properties !== undefined || additionalProperties !== undefined) return {};
        return type === 'string' ? '' : 0;
      }
      default:
        return this.#value(schema, name, draw);
    }
  }

  metadata(draw: Draw): TestValue {
    this.#left = 20;
    return this.#value({ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }, '', draw);
  }

  #schemaOf(wanted: { group: string; version: string; kind: string }): Schema {
    const found = Object.values(this.#schemas).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(
        ({ group, version, kind }) => group === wanted.group && version === wanted.version && kind === wanted.kind,
      ),
    );
    if (found === undefined) throw new Error(`no schema of ${JSON.stringify(wanted)}`);
    return found;
  }

  #value(given: Schema, name: string, draw: Draw): TestValue {
    const schema = this.#resolved(given);
    this.#left -= 1;
    if (this.#style.wild && draw(15) === 15) return null;
    const pick = <T>(values: readonly T[]): T => values[draw(values.length - 1)];
    if (schema.enum !== undefined && draw(7) < 7) return pick(schema.enum);
    if (schema.properties !== undefined) return this.#members(schema.properties, draw);
    if (schema.additionalProperties !== undefined) return this.#map(schema.additionalProperties, name, draw);
    if (schema.format === 'int-or-string') return pick(intsOrTexts);
    if (schema.oneOf !== undefined) return pick(quantities);
    switch (schema.type) {
      case 'array':
        return Array.from({ length: this.#left < 0 ? 0 : draw(3) }, () => this.#value(schema.items ?? {}, name, draw));
      case 'boolean':
        return draw(1) === 1;
      case 'integer':
        return pick(schema.format === 'int64' ? largeIntegers : integers);
      case 'number':
        return pick([...integers, 0.5]);
      case 'string':
        if (schema.format === 'date-time') return pick(this.#style.wild ? wildTimes : timesOf(given));
        return schema.format === 'byte' ? pick(bytes) : this.#style.text(name, draw);
      default:
        return pick(untyped);
    }
  }

  #members(properties: Readonly<Record<string, Schema>>, draw: Draw): TestObject {
    const names = Object.keys(properties);
    const object: Record<string, TestValue> = {};
    const wanted = this.#left < 0 ? 0 : draw(Math.min(names.length, 6));
    for (let count = 0; count < wanted; count++) {
      const name = names[draw(names.length - 1)];
      object[name] = this.#value(properties[name], name, draw);
    }
    return object as TestObject;
  }

  #map(values: Schema, name: string, draw: Draw): TestValue {
    const count = this.#left < 0 ? 0 : draw(2);
    return Object.fromEntries(Array.from({ length: count }, () => [keys[draw(keys.length - 1)], this.#value(values, name, draw)]));
  }

  /** Resolves references. A reference is the only part of its allOf. */
  #resolved(schema: Schema): Schema {
    const target = schema.$ref ?? schema.allOf?.[0].$ref;
    if (target === undefined) return schema;
    return this.#resolved(this.#schemas[target.slice('#/components/schemas/'.length)]);
  }
}

/** Members that are there count twice; the type and the metadata of an object, and its status, seldom count. */
function keysToChange(schema: Schema, at: TestValue, depth: number, draw: Draw): (string | number)[] {
  if (schema.items !== undefined) {
    const length = Array.isArray(at) ? at.length : 0;
    return [...Array.from({ length }, (_, index) => index), ...(length === 0 || draw(3) === 3 ? [length] : [])];
  }
  const present = typeof at === 'object' && at !== null ? Object.keys(at) : [];
  if (schema.properties === undefined) {
    return schema.additionalProperties === undefined ? [] : [...present, keys[draw(keys.length - 1)]];
  }
  const all = Object.keys(schema.properties);
  const known = present.filter((name) => all.includes(name));
  const names = known.length > 0 && draw(1) === 0 ? known : all;
  if (depth > 0) return names;
  const seldom = draw(9) === 9 ? [] : ['apiVersion', 'kind', 'metadata', 'status'];
  const often = names.filter((name) => !seldom.includes(name));
  return often.length > 0 ? often : all.filter((name) => !['apiVersion', 'kind'].includes(name));
}
