import { elementAt } from '../../machinery/collections/element-at.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { unescapeProperty } from '../types/escaping.ts';
import { DynMap, JsonMap, jsonValue, type ObjectShape } from '../values/json.ts';
import type { Adapter } from '../values/json-list.ts';
import { isError, isTagged, type Value } from '../values/value.ts';
import { charge, type ExecutionFrame, type Interpretable } from './execution-frame.ts';
import { noSuchKey, qualify, qualifyOptional, qualifyOrError } from './qualifier.ts';

/**
 * Evaluates `root.name.name`. A whole path is one closure, and parts of JSON without a schema become values only at its
 * end: most expressions are little more than paths. Each name costs 1.
 *
 * @param rootCost the cost of reading the root
 */
export function evalPath(root: Interpretable, names: readonly string[], rootCost: number): Interpretable {
  if (names.length === 0) return rootCost === 0 ? root : charged(root, rootCost);
  const path = new Path(names);
  return (frame) => {
    charge(frame, rootCost);
    return path.follow(frame, root(frame));
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
  const path = new Path(names.slice(0, -1));
  const last = new Step(elementAt(names, names.length - 1));
  return (frame) => {
    const value = path.follow(frame, root(frame));
    if (isError(value)) return value;
    if (isTagged(value, 'optional') && value.value === undefined) return false;
    charge(frame, 1);
    if (isTagged(value, 'optional')) return qualify(value.value as Value, last.name) !== undefined;
    const found = value instanceof JsonMap ? last.lookup.find(value) : qualify(value, last.name);
    return found !== undefined && isError(found) ? found : found !== undefined;
  };
}

/** The names after a root. */
class Path {
  readonly #steps: readonly Step[];

  constructor(names: readonly string[]) {
    this.#steps = names.map((name) => new Step(name));
  }

  /** Selects one name after the other. Returns the first error. */
  follow(frame: ExecutionFrame, start: Value): Value {
    if (this.#steps.length > 0 && start instanceof DynMap) return this.#followJson(frame, start.json);
    let value = start;
    for (const step of this.#steps) {
      if (isError(value)) return value;
      value = step.select(frame, value);
    }
    return value;
  }

  /** Stays with JSON as long as there are objects. */
  #followJson(frame: ExecutionFrame, start: JsonObject): Value {
    let json: Json = start;
    let at = 0;
    for (const { name } of this.#steps) {
      if (!isJsonObject(json)) break;
      at++;
      const member: Json | undefined = Object.hasOwn(json, name) ? json[name] : undefined;
      if (member === undefined) {
        charge(frame, at);
        return noSuchKey(name);
      }
      json = member;
    }
    charge(frame, at);
    let value = jsonValue(json);
    if (at === this.#steps.length) return value;
    for (const step of this.#steps.slice(at)) {
      if (isError(value)) return value;
      value = step.select(frame, value);
    }
    return value;
  }
}

/** A name of a path. */
class Step {
  readonly name: string;
  /** Undefined until the path meets an object with a schema. */
  #lookup: PropertyLookup | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get lookup(): PropertyLookup {
    this.#lookup ??= new PropertyLookup(this.name);
    return this.#lookup;
  }

  select(frame: ExecutionFrame, value: Value): Value {
    if (isTagged(value, 'optional')) return qualifyOptional(frame, value, { constant: this.name, optional: false });
    charge(frame, 1);
    if (!(value instanceof JsonMap)) return qualifyOrError(value, this.name);
    const found = this.lookup.find(value);
    return found === undefined ? noSuchKey(this.name) : found;
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
