import { equalJson } from '../../machinery/equality.ts';
import type { JsonSchema } from '../../machinery/json-schema.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { additionalOf, itemsOf } from './nodes.ts';
import { stableText } from './stable-text.ts';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The new and the old value of one place in an object, for ratcheting: what did not change is not refused. Members go by
 * their names, items of map lists by their keys; other items have no old value of their own. (apiserver pkg/cel/common/equality.go)
 */
export class Correlation {
  readonly #value: Json;
  readonly #old: Json;
  readonly #schema: JsonSchema;
  #equal: boolean | undefined;
  #oldItems: Map<string, Json> | undefined;

  constructor(value: Json, old: Json, schema: JsonSchema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /** Whether nothing changed. A map list whose items only changed places did not change. */
  equal(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  #compare(): boolean {
    const value = this.#value;
    const old = this.#old;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (!this.#isMapList()) return equalJson(value, old);
      return value.every((_item, index) => this.index(index)?.equal() ?? false);
    }
    if (isObject(value) && isObject(old)) {
      const names = Object.keys(value);
      if (names.length !== Object.keys(old).length) return false;
      return names.every((name) => this.#memberEqual(name, old));
    }
    return equalJson(value, old);
  }

  #memberEqual(name: string, old: JsonObject): boolean {
    if (!Object.hasOwn(old, name)) return false;
    return this.key(name)?.equal() ?? false;
  }

  /** The place of a member; undefined where the old object has none, or the schema does not know it. */
  key(name: string): Correlation | undefined {
    const value = this.#value;
    const old = this.#old;
    if (!isObject(value) || !isObject(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const { properties } = this.#schema;
    const schema = properties && Object.hasOwn(properties, name) ? properties[name] : additionalOf(this.#schema);
    return schema && new Correlation(value[name], old[name], schema);
  }

  /** The place of an item; undefined unless the list is a map list whose old value has an item of the same keys. */
  index(index: number): Correlation | undefined {
    const schema = itemsOf(this.#schema);
    const item = Array.isArray(this.#value) ? this.#value[index] : undefined;
    if (schema === undefined || !isObject(item) || !this.#isMapList()) return undefined;
    const keys = this.#keysOf(item);
    const old = keys === undefined ? undefined : this.#oldByKeys().get(keys);
    return old === undefined ? undefined : new Correlation(item, old, schema);
  }

  #isMapList(): boolean {
    const schema = this.#schema;
    return schema['x-kubernetes-list-type'] === 'map' && (schema['x-kubernetes-list-map-keys'] ?? []).length > 0;
  }

  #oldByKeys(): Map<string, Json> {
    if (this.#oldItems === undefined) {
      this.#oldItems = new Map();
      for (const item of Array.isArray(this.#old) ? this.#old : []) {
        if (!isObject(item)) continue;
        const keys = this.#keysOf(item);
        if (keys !== undefined && !this.#oldItems.has(keys)) this.#oldItems.set(keys, item);
      }
    }
    return this.#oldItems;
  }

  /** Undefined where a key is missing or no scalar: such an item goes with no other. */
  #keysOf(item: JsonObject): string | undefined {
    const values: Json[] = [];
    for (const key of this.#schema['x-kubernetes-list-map-keys'] ?? []) {
      const value = Object.hasOwn(item, key) ? item[key] : null;
      if (typeof value === 'object') return undefined;
      values.push(value);
    }
    return stableText(values);
  }
}
