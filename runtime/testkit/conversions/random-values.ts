import { elementAt } from '../../machinery/collections/element-at.ts';
import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { type Chance, textOfPattern } from './random-text.ts';

/** The choice of an object's members. */
export interface MemberChoice {
  /** Objects have all required members. */
  readonly required: boolean;
  /** The probability of each optional member. */
  readonly optional: number;
}

/** The maximum number of values in an object, beyond which only required members are added. */
const maxValues = 200;
const maxDepth = 12;

const words = ['a', '', 'b-1', 'Two words', 'x.example.com/y', 'ü', '0', 'true', '"', 'a long text with a, comma'];
const keys = ['a', 'b', 'app', 'x.example.com/y', '1'];
const integers = [0, 1, 2, 3, 7, 80, 1000, -1, 65_535, 2 ** 31 - 1];
const untyped: readonly JsonObject[] = [{}, { a: 1 }, { a: 'b', c: [true, { d: null }] }];
const formats: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-01-02T03:04:05Z', '1999-12-31T23:59:59Z'],
  date: ['2026-01-02', '1999-12-31'],
  byte: ['', 'YQ==', '//79'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  ipv4: ['10.0.0.1', '192.168.1.255'],
  ipv6: ['::1', 'fd00::1'],
  cidr: ['10.0.0.0/8', 'fd00::/64'],
  mac: ['01:23:45:67:89:ab'],
  email: ['a@example.com'],
  hostname: ['example.com', 'a'],
  uri: ['https://example.com/a?b=c'],
  duration: ['1h', '30s', '0s'],
};

/** Random values of schemas. Most are valid, but CEL rules and similar constraints are ignored. */
export class RandomValues {
  readonly #chance: Chance;
  #left = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Returns the members of an object, except those of every kind. */
  content(schema: JsonSchema, choice: MemberChoice): JsonObject {
    this.#left = maxValues;
    const { apiVersion: _, kind: __, metadata: ___, ...properties } = schema.properties ?? {};
    const value = this.#value({ ...schema, type: 'object', properties }, choice, 0);
    return isJsonObject(value) ? value : {};
  }

  #isLikely(probability: number): boolean {
    return this.#chance() < probability;
  }

  #pick<T>(values: readonly T[]): T {
    return elementAt(values, Math.floor(this.#chance() * values.length));
  }

  #value(given: JsonSchema, choice: MemberChoice, depth: number): Json {
    this.#left -= 1;
    const schema = this.#chosen(given);
    if (schema.nullable === true && this.#isLikely(0.1)) return null;
    if (schema.enum !== undefined && schema.enum.length > 0) return this.#pick(schema.enum);
    if (schema['x-kubernetes-int-or-string'] === true) return this.#pick<Json>([0, 8080, '50%', 'http']);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, choice, depth);
      case 'array':
        return this.#list(schema, choice, depth);
      case 'boolean':
        return this.#isLikely(0.5);
      case 'integer':
        return this.#number(schema, integers, 1);
      case 'number':
        return this.#number(schema, [...integers, 0.5, -2.25], 0.25);
      case 'string':
        return this.#text(schema);
      default:
        return schema.properties === undefined ? this.#pick(untyped) : this.#object(schema, choice, depth);
    }
  }

  /** Merges allOf, and one alternative of anyOf and of oneOf, into the schema. */
  #chosen({ allOf = [], anyOf, oneOf, ...schema }: JsonSchema): JsonSchema {
    const chosen = [...allOf, ...[anyOf, oneOf].flatMap((each) => (each?.length ? [this.#pick(each)] : []))];
    return chosen.reduce<JsonSchema>((all, part) => merged(all, this.#chosen(part)), schema);
  }

  #object(schema: JsonSchema, choice: MemberChoice, depth: number): JsonObject {
    const { properties = {}, required = [] } = schema;
    const isFull = this.#left < 0 || depth > maxDepth;
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(properties)) {
      const isNeeded = choice.required && required.includes(name);
      if (!isNeeded && (isFull || !this.#isLikely(choice.optional))) continue;
      members.push([name, this.#value(member, choice, depth + 1)]);
    }
    const values = valueSchema(schema);
    const least = Number(schema.minProperties ?? 0);
    const isMap = values !== undefined || schema.additionalProperties === true;
    if (isMap && (!isFull || members.length < least)) {
      const count = Math.max(least - members.length, Math.min(this.#count(3), Number(schema.maxProperties ?? 3)));
      for (const key of keys.slice(0, count)) members.push([key, this.#value(values ?? {}, choice, depth + 1)]);
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] === true && Object.keys(properties).length === 0 && !isMap)
      return this.#pick(untyped);
    return Object.fromEntries(members);
  }

  #list(schema: JsonSchema, choice: MemberChoice, depth: number): Json[] {
    const least = Number(schema.minItems ?? 0);
    const most = Math.min(Number(schema.maxItems ?? least + 3), least + 3);
    const length = this.#left < 0 || depth > maxDepth ? least : least + this.#count(most - least);
    const items = Array.from({ length }, () => this.#value(itemSchema(schema) ?? {}, choice, depth + 1));
    return withoutTwins(items, schema);
  }

  /** Returns a number from 0 to `most`, inclusive. */
  #count(most: number): number {
    return Math.floor(this.#chance() * (most + 1));
  }

  #number(schema: JsonSchema, candidates: readonly number[], step: number): number {
    const multiple = schema.multipleOf === undefined ? undefined : Number(schema.multipleOf);
    const by = multiple ?? step;
    const least = Number(schema.minimum ?? Number.NEGATIVE_INFINITY) + (schema.exclusiveMinimum ? by : 0);
    const most = Number(schema.maximum ?? Number.POSITIVE_INFINITY) - (schema.exclusiveMaximum ? by : 0);
    const edges = [least, most, least + by, (least + most) / 2].map((each) => (step === 1 ? Math.trunc(each) : each));
    const all = [...candidates, ...edges]
      .map((each) => (multiple === undefined ? each : Math.ceil(each / multiple) * multiple))
      .filter((each) => Number.isFinite(each) && each >= least && each <= most);
    return all.length === 0 ? Math.max(Math.min(0, most), least) : this.#pick(all);
  }

  #text(schema: JsonSchema): string {
    const { pattern, format = '' } = schema;
    const [least, most] = [Number(schema.minLength ?? 0), Number(schema.maxLength ?? Number.POSITIVE_INFINITY)];
    if (pattern !== undefined) {
      const found = textOfPattern(pattern, this.#chance);
      if (found !== undefined) return found;
    }
    const fitting = (formats[format] ?? words).filter((word) => word.length >= least && word.length <= most);
    return fitting.length === 0 ? 'a'.repeat(Math.min(least, 1000)) : this.#pick(fitting);
  }
}

/** Merges a part of allOf, or an alternative, into a schema. */
function merged(schema: JsonSchema, part: JsonSchema): JsonSchema {
  const properties = { ...schema.properties };
  for (const [name, inner] of Object.entries(part.properties ?? {})) {
    const known = memberOf(properties, name);
    properties[name] = known ? merged(known, inner) : inner;
  }
  const isNamed = schema.properties !== undefined || part.properties !== undefined;
  return {
    ...schema,
    ...part,
    ...(isNamed && { properties }),
    required: [...(schema.required ?? []), ...(part.required ?? [])],
  };
}

/** Removes equal items of a set or map list. */
function withoutTwins(items: readonly Json[], schema: JsonSchema): Json[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map' && schema.uniqueItems !== true) return [...items];
  const names = listType === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined;
  const keyOf = (item: Json): string =>
    JSON.stringify(names === undefined || !isJsonObject(item) ? item : names.map((name) => item[name] ?? null));
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
