import { spend } from '../../machinery/event-loop/budget.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { escapeProperty } from '../types/escaping.ts';
import { equal, orderedEqual } from './equality.ts';
import { indexOutOfRange, join, toArray } from './list.ts';
import { Bytes, type CelList, Double, intValue, type ListSemantics, Uint, type Value } from './value.ts';

/** Converts JSON of one schema node to values. Adapters of child nodes are created on first use. */
export interface Adapter {
  nativeToValue(json: Json): Value;
}

/** A JSON array with a schema. Additions and comparisons of sets and map lists ignore the order. */
export class JsonList implements CelList {
  readonly tag = 'list';
  readonly json: readonly Json[];
  readonly adapter: Adapter;
  readonly #type: string | undefined;
  readonly #keys: readonly string[];

  constructor(json: readonly Json[], adapter: Adapter, type?: string, keys: readonly string[] = []) {
    this.json = json;
    this.adapter = adapter;
    this.#type = type;
    this.#keys = keys;
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): Value {
    const item = this.json[index];
    return item === undefined ? indexOutOfRange(index) : this.adapter.nativeToValue(item);
  }

  get semantics(): ListSemantics {
    if (this.#type === 'set') return setSemantics;
    if (this.#type === 'map') return mapSemantics(this.#keys);
    return orderedSemantics;
  }

  /** Returns a list of the same type with other elements. */
  with(json: readonly Json[]): JsonList {
    return new JsonList(json, this.adapter, this.#type, this.#keys);
  }
}

const orderedSemantics: ListSemantics = {
  add: join,
  equal: (list, other) => orderedEqual(list, other, false),
};

/** Microseconds per item. The cost of adding two lists does not depend on their length. */
const perItem = 0.3;

function jsonOf(list: CelList): readonly Json[] {
  spend(list.size * perItem);
  return list instanceof JsonList ? list.json : toArray(list).map(valueToJson);
}

/** Items of sets are scalars, identified by their JSON. */
const setSemantics: ListSemantics = {
  add(list, other) {
    const seen = new Set(jsonOf(list));
    return (list as JsonList).with([...seen, ...jsonOf(other).filter((item) => !seen.has(item))]);
  },
  equal(list, other) {
    if (list.size !== other.size) return false;
    const items = new Set(jsonOf(list));
    return jsonOf(other).every((item) => items.has(item));
  },
};

function mapSemantics(keys: readonly string[]): ListSemantics {
  const names = keys.map((key) => escapeProperty(key) ?? key);
  const keyOf = (item: Json): string => {
    const object = item as JsonObject;
    const parts = names.map((name) => (object && Object.hasOwn(object, name) ? object[name] : null));
    return JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? Number(part) : part)));
  };
  return {
    add(list, other) {
      const merged = new Map(jsonOf(list).map((item) => [keyOf(item), item]));
      for (const item of jsonOf(other)) merged.set(keyOf(item), item);
      return (list as JsonList).with([...merged.values()]);
    },
    equal(list, other) {
      if (list.size !== other.size) return false;
      const { adapter } = list as JsonList;
      const itemsByKey = new Map(jsonOf(list).map((item) => [keyOf(item), item]));
      for (const value of toArray(other)) {
        const item = itemsByKey.get(keyOf(valueToJson(value)));
        if (item === undefined) return false;
        const same = equal(adapter.nativeToValue(item), value);
        if (same !== true) return same;
      }
      return true;
    },
  };
}

/** Converts a value to JSON. */
export function valueToJson(value: Value): Json {
  if (value === null || typeof value !== 'object') return value;
  if ('json' in value) return value.json as Json;
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return intValue(value.value);
  if (value instanceof Bytes) return Buffer.from(value.value).toString('base64');
  if (value.tag === 'list') return Array.from({ length: value.size }, (_, i) => valueToJson(value.at(i)));
  return null;
}
