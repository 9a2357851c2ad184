import { isJsonObject } from '../../../../runtime/machinery/json/values.ts';
import type { Json, JsonObject } from '../../../../runtime/machinery/object.ts';
import { Pattern } from '../../../../runtime/machinery/patterns/pattern.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../../../runtime/machinery/schema/json-schema.ts';

/** A way to invalidate an object, and the field that the error must name. */
export interface Mutation {
  readonly kind: string;
  readonly field: string;
  apply(): void;
}

type Put = (value: Json) => void;

/** Returns all known ways to invalidate `value`, which conforms to its schema. Each changes the object in place. */
export function mutationsOf(schema: JsonSchema, value: JsonObject): Mutation[] {
  const found: Mutation[] = [];
  const walk = new Walk(found);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (['metadata', 'kind', 'apiVersion'].includes(name) || !Object.hasOwn(value, name)) continue;
    walk.value(property, value[name], name, name, (other) => {
      value[name] = other;
    });
  }
  return found;
}

const flipped: Readonly<Record<string, Json>> = {
  string: 12345,
  integer: 'many',
  number: 'many',
  boolean: 'perhaps',
  object: 'text',
  array: { a: 'b' },
};

class Walk {
  readonly #found: Mutation[];

  constructor(found: Mutation[]) {
    this.#found = found;
  }

  #add(kind: string, field: string, apply: () => void): void {
    this.#found.push({ kind, field, apply });
  }

  /**
   * @param field in the format of schema validation; `listField` in that of list types, with the keys of maps in
   *   brackets
   */
  value(schema: JsonSchema, value: Json, field: string, listField: string, put: Put): void {
    if (value === null) return;
    if (schema['x-kubernetes-int-or-string']) this.#add('type', field, () => put(true));
    else if (schema.type) this.#add('type', field, () => put(flipped[schema.type as string]));
    if (schema.enum && schema.type === 'string') this.#add('enum', field, () => put('no-such-member'));
    if (typeof value === 'string' && schema.type === 'string') this.#string(schema, field, put);
    if (typeof value === 'number') this.#number(schema, field, put);
    if (Array.isArray(value)) this.#list(schema, value, field, listField);
    else if (isJsonObject(value)) this.#object(schema, value, field, listField);
  }

  #string(schema: JsonSchema, field: string, put: Put): void {
    const { maxLength, minLength, pattern: source } = schema;
    if (maxLength !== undefined && maxLength < 10_000) this.#add('length', field, () => put('x'.repeat(Number(maxLength) + 1)));
    if (minLength !== undefined && minLength > 0) this.#add('length', field, () => put(''));
    const bad = source && ['\u0001', '!', ' ', ''].find((text) => !new Pattern(source).test(text));
    if (bad !== undefined && bad !== '') this.#add('pattern', field, () => put(bad));
  }

  #number(schema: JsonSchema, field: string, put: Put): void {
    const { maximum, minimum } = schema;
    if (maximum !== undefined) this.#add('maximum', field, () => put(Number(maximum) + 1));
    if (minimum !== undefined) this.#add('minimum', field, () => put(Number(minimum) - 1));
  }

  #list(schema: JsonSchema, list: Json[], field: string, listField: string): void {
    const items = itemSchema(schema);
    const { maxItems } = schema;
    if (list.length > 0 && maxItems !== undefined && maxItems < 200) {
      this.#add('items', field, () => {
        while (list.length <= maxItems) list.push(structuredClone(list[0]));
      });
    }
    const listType = schema['x-kubernetes-list-type'];
    if (list.length > 0 && (listType === 'map' || listType === 'set')) {
      this.#add('duplicate', `${listField}[${list.length}]`, () => list.push(structuredClone(list[0])));
    }
    if (!items) return;
    for (const [index, item] of list.entries()) {
      this.value(items, item, `${field}[${index}]`, `${listField}[${index}]`, (other) => {
        list[index] = other;
      });
    }
  }

  #object(schema: JsonSchema, object: JsonObject, field: string, listField: string): void {
    const { properties = {}, required = [] } = schema;
    for (const name of required) {
      if (!Object.hasOwn(object, name) || properties[name]?.default !== undefined) continue;
      this.#add('required', `${field}.${name}`, () => delete object[name]);
    }
    const additional = valueSchema(schema);
    const isResource = schema['x-kubernetes-embedded-resource'] === true;
    for (const [name, member] of Object.entries(object)) {
      if (isResource && ['metadata', 'kind', 'apiVersion'].includes(name)) continue;
      const put: Put = (other) => {
        object[name] = other;
      };
      if (Object.hasOwn(properties, name)) this.value(properties[name], member, `${field}.${name}`, `${listField}.${name}`, put);
      else if (additional) this.value(additional, member, `${field}.${name}`, `${listField}[${name}]`, put);
    }
  }
}
