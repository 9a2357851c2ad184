import type { JsonSchema } from './json-schema.ts';
import type { Json } from './object.ts';

/** The elements of an old map list, by their keys; of two with the same key the first. (apiserver pkg/cel/common/maplist.go) */
export class OldItems {
  readonly #keys: readonly string[];
  readonly #items: readonly Json[];
  #byKey: Map<string, Json> | undefined;

  constructor(schema: JsonSchema, items: readonly Json[] | undefined) {
    const isMapList = schema.type === 'array' && schema['x-kubernetes-list-type'] === 'map';
    this.#keys = isMapList ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
    this.#items = this.#keys.length === 0 ? [] : (items ?? []);
  }

  /** The old element with the keys of the new one. */
  find(item: Json): Json | undefined {
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

  /** Undefined: a key is missing, or no scalar. */
  #keyOf(item: Json): string | undefined {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
    let text = '';
    for (const name of this.#keys) {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      if (value === undefined || value === null || typeof value === 'object') return undefined;
      text += `\0${typeof value === 'string' ? JSON.stringify(value) : value}`;
    }
    return text;
  }
}
