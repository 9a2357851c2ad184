import { spend } from '../../machinery/event-loop/budget.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';

import { escapeProperty } from '../types/escaping.ts';
import { equal, orderedEqual } from './equality.ts';
import type { Reader } from './json.ts';
import { type CelList, join, type ListSemantics, toArray } from './list.ts';
import { plainJson } from './plain-json.ts';
import type { Value } from './value.ts';

/** A JSON array read by a schema. Sets and map lists add and compare without regard to order. */
export class JsonList implements CelList {
  readonly tag = 'list';
  readonly json: readonly Json[];
  readonly reader: Reader;
  readonly #type: string | undefined;
  readonly #keys: readonly string[];

  constructor(json: readonly Json[], reader: Reader, type?: string, keys: readonly string[] = []) {
    this.json = json;
    this.reader = reader;
    this.#type = type;
    this.#keys = keys;
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): Value {
    return this.reader.read(this.json[index]);
  }

  get semantics(): ListSemantics {
    if (this.#type === 'set') return setSemantics;
    if (this.#type === 'map') return mapSemantics(this.#keys);
    return orderedSemantics;
  }

  /** The same kind of list with other elements. */
  with(json: readonly Json[]): JsonList {
    return new JsonList(json, this.reader, this.#type, this.#keys);
  }
}

const orderedSemantics: ListSemantics = {
  add: join,
  equal: (list, other) => orderedEqual(list, other, false),
};

/** Microseconds; to an expression, adding two of these costs no more than adding two numbers. */
const perItem = 0.3;

function jsonOf(list: CelList): readonly Json[] {
  spend(list.size * perItem);
  return list instanceof JsonList ? list.json : toArray(list).map(plainJson);
}

/** Sets hold scalars: their JSON identifies them. */
const setSemantics: ListSemantics = {
  add(list, other) {
    const seen = new Set(jsonOf(list));
    return (list as JsonList).with([...seen, ...jsonOf(other).filter((item) => !seen.has(item))]);
  },
  equal(list, other) {
    if (list.size !== other.size) return false;
    const own = new Set(jsonOf(list));
    return jsonOf(other).every((item) => own.has(item));
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
      const { reader } = list as JsonList;
      const own = new Map(jsonOf(list).map((item) => [keyOf(item), item]));
      for (const value of toArray(other)) {
        const item = own.get(keyOf(plainJson(value)));
        if (item === undefined) return false;
        const same = equal(reader.read(item), value);
        if (same !== true) return same;
      }
      return true;
    },
  };
}
