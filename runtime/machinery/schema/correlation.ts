import { equalJson } from '../json/equality.ts';
import { isJsonObject, memberOf } from '../json/values.ts';
import type { Json } from '../object.ts';
import { itemSchema, type JsonSchema, valueSchema } from './json-schema.ts';
import { MapList } from './map-list.ts';

/**
 * A new value, the old value that it replaces, and the pairs below them: members of objects by name, elements of map
 * lists by key. Nothing else is correlated. (apiserver pkg/cel/common/equality.go)
 */
export class Correlation {
  readonly #value: Json;
  readonly #oldValue: Json;
  readonly #schema: JsonSchema;
  readonly #children = new Map<string | number, Correlation | undefined>();
  #oldItems: MapList | undefined;
  #equal: boolean | undefined;

  constructor(value: Json, oldValue: Json, schema: JsonSchema) {
    this.#value = value;
    this.#oldValue = oldValue;
    this.#schema = schema;
  }

  /**
   * Reports whether the values are equal. The order of map lists does not matter. As upstream, an object with a member
   * that the schema does not know equals nothing, not even itself.
   */
  equal(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  #compare(): boolean {
    const value = this.#value;
    const old = this.#oldValue;
    if (Array.isArray(value)) {
      if (!Array.isArray(old) || old.length !== value.length) return false;
      for (let i = 0; i < value.length; i++) {
        const child = this.index(i);
        if (!child) return this.#oldItems ? false : equalJson(value, old);
        if (!child.equal()) return false;
      }
      return true;
    }
    if (!isJsonObject(value) || !isJsonObject(old)) return equalJson(value, old);
    const names = Object.keys(value);
    if (names.length !== Object.keys(old).length) return false;
    return names.every((name) => this.key(name)?.equal() === true);
  }

  /** Returns the member of that name, if both values have it and the schema knows it. */
  key(name: string): Correlation | undefined {
    if (!this.#children.has(name)) this.#children.set(name, this.#findKey(name));
    return this.#children.get(name);
  }

  #findKey(name: string): Correlation | undefined {
    const value = this.#value;
    const old = this.#oldValue;
    if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
    const next = memberOf(value, name);
    const before = memberOf(old, name);
    if (next === undefined || before === undefined) return undefined;
    const { properties } = this.#schema;
    const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const schema = known ?? valueSchema(this.#schema);
    return schema && new Correlation(next, before, schema);
  }

  /** Returns the element at an index of the new list, if the old list has an element with the same keys. */
  index(position: number): Correlation | undefined {
    if (!this.#children.has(position)) this.#children.set(position, this.#findIndex(position));
    return this.#children.get(position);
  }

  #findIndex(position: number): Correlation | undefined {
    const value = this.#value;
    const old = this.#oldValue;
    if (!Array.isArray(value) || !Array.isArray(old)) return undefined;
    const item: Json | undefined = value[position];
    if (item === undefined) return undefined;
    if (this.#schema['x-kubernetes-list-type'] !== 'map') return undefined;
    this.#oldItems ??= new MapList(this.#schema, old);
    const found = this.#oldItems.get(item);
    const schema = itemSchema(this.#schema);
    return found === undefined || found === null || !schema ? undefined : new Correlation(item, found, schema);
  }
}
