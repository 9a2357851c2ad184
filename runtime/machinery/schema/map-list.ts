import { Float64 } from '../json/float64.ts';
import { isJsonObject } from '../json/values.ts';
import type { Json } from '../object.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Finds the elements of a map list by their keys: the first element of several with equal keys. (apiserver
 * pkg/cel/common/maplist.go)
 */
export class MapList {
  readonly #keys: readonly string[];
  readonly #items: readonly Json[];
  #byKey: Map<string, Json> | undefined;

  constructor(schema: JsonSchema, items: readonly Json[] | undefined) {
    const isMapList = schema.type === 'array' && schema['x-kubernetes-list-type'] === 'map';
    this.#keys = isMapList ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
    this.#items = this.#keys.length === 0 ? [] : (items ?? []);
  }

  /** Returns the element with the same keys as `item`. */
  get(item: Json): Json | undefined {
    if (this.#items.length === 0) return undefined;
    const key = this.#keyOf(item);
    if (key === undefined) return undefined;
    this.#byKey ??= this.#index();
    return this.#byKey.get(key);
  }

  #index(): Map<string, Json> {
    const found = new Map<string, Json>();
    for (const item of this.#items) {
      const key = this.#keyOf(item);
      if (key !== undefined && !found.has(key)) found.set(key, item);
    }
    return found;
  }

  /** Returns undefined if a key is missing or is not a scalar. */
  #keyOf(item: Json): string | undefined {
    if (!isJsonObject(item)) return undefined;
    let text = '';
    for (const name of this.#keys) {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      if (value instanceof Float64) text += `\0f${value.value}`;
      else if (value === undefined || value === null || typeof value === 'object') return undefined;
      else text += `\0${typeof value === 'string' ? JSON.stringify(value) : value}`;
    }
    return text;
  }
}
