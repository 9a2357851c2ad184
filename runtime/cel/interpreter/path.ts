import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import { unescapeProperty } from '../types/escaping.ts';
import { DynMap, JsonMap, jsonValue, type ObjectShape } from '../values/json.ts';
import type { Adapter } from '../values/json-list.ts';
import { isError, isTagged, type Value } from '../values/value.ts';
import { charge, type ExecutionFrame, type Interpretable } from './execution-frame.ts';
import { noSuchKey, qualify, qualifyOptional, qualifyOrError } from './qualifier.ts';

/**
 * Evaluates `root.name.name`. A whole path is one closure, and parts of JSON without a schema become values only at its end:
 * most expressions are little more than paths. Each name costs 1.
 *
 * @param rootCost what reading the root costs
 */
export function evalPath(root: Interpretable, names: readonly string[], rootCost: number): Interpretable {
  if (names.length === 0) return rootCost === 0 ? root : charged(root, rootCost);
  const path = new Path(names);
  return (frame) => {
    charge(frame, rootCost);
    return path.follow(frame, root(frame), names.length);
  };
}

const charged =
  (root: Interpretable, cost: number): Interpretable =>
  (frame) => {
    charge(frame, cost);
    return root(frame);
  };

/** Evaluates `has(root.name.name)`. Each name costs 1. */
export function evalPresence(root: Interpretable, names: readonly string[]): Interpretable {
  const path = new Path(names);
  return (frame) => path.isPresent(frame, root(frame));
}

class Path {
  readonly #names: readonly string[];
  /** By their place in the path; undefined until it meets an object with a schema. */
  #lookups: PropertyLookup[] | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Selects the first `count` names. Returns the first error. */
  follow(frame: ExecutionFrame, start: Value, count: number): Value {
    let value = start;
    let at = 0;
    if (count > 0 && value instanceof DynMap) {
      let json: Json = value.json;
      do {
        const name = this.#names[at++];
        if (!Object.hasOwn(json, name)) {
          charge(frame, at);
          return noSuchKey(name);
        }
        json = json[name];
      } while (at < count && isJsonObject(json));
      charge(frame, at);
      value = jsonValue(json);
    }
    for (; at < count; at++) {
      if (isError(value)) return value;
      value = this.#select(frame, value, at);
    }
    return value;
  }

  isPresent(frame: ExecutionFrame, start: Value): Value {
    const last = this.#names.length - 1;
    const value = this.follow(frame, start, last);
    if (isError(value)) return value;
    if (isTagged(value, 'optional') && value.value === undefined) return false;
    charge(frame, 1);
    if (isTagged(value, 'optional')) return qualify(value.value as Value, this.#names[last]) !== undefined;
    const found = value instanceof JsonMap ? this.#lookup(last).find(value) : qualify(value, this.#names[last]);
    return found !== undefined && isError(found) ? found : found !== undefined;
  }

  #select(frame: ExecutionFrame, value: Value, at: number): Value {
    const name = this.#names[at];
    if (isTagged(value, 'optional')) return qualifyOptional(frame, value, { constant: name, optional: false });
    charge(frame, 1);
    if (!(value instanceof JsonMap)) return qualifyOrError(value, name);
    const found = this.#lookup(at).find(value);
    return found === undefined ? noSuchKey(name) : found;
  }

  #lookup(at: number): PropertyLookup {
    this.#lookups ??= [];
    this.#lookups[at] ??= new PropertyLookup(this.#names[at]);
    return this.#lookups[at];
  }
}

/** Finds a property of objects with a schema. Caches how the property is read from objects of the last shape. */
class PropertyLookup {
  readonly #escaped: string;
  readonly #name: string | undefined;
  readonly #inherited: boolean;
  #shape: ObjectShape | undefined;
  #property = '';
  #adapter: Adapter | undefined;

  constructor(escaped: string) {
    this.#escaped = escaped;
    this.#name = unescapeProperty(escaped);
    this.#inherited = escaped in Object.prototype || (this.#name ?? '') in Object.prototype;
  }

  find(map: JsonMap): Value | undefined {
    const { shape } = map;
    if (shape !== this.#shape) {
      this.#shape = shape;
      const name = shape.hasProperties ? this.#name : this.#escaped;
      this.#adapter = name === undefined ? undefined : shape.property(name);
      this.#property = name ?? '';
    }
    if (!this.#adapter || (this.#inherited && !Object.hasOwn(map.json, this.#property))) return undefined;
    const json = map.json[this.#property];
    if (json === undefined || (json === null && shape.hasProperties)) return undefined;
    return this.#adapter.nativeToValue(json);
  }
}
