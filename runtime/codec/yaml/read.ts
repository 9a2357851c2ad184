import { DecodeError, isDecodeError } from '../../machinery/errors/decode-error.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { maxInt64 } from '../../machinery/scalars/integers.ts';
import { AliasBudget } from './alias-budget.ts';
import { type Builder, decodeNode } from './decoder.ts';
import { compareUtf8, GoMap, type GoValue, goSyntax, goType, keyId, keyText } from './go-values.ts';
import type { NodeLog } from './node-log.ts';
import { parseDocument } from './parser.ts';
import { GoFloat, type Resolved } from './resolve.ts';
import { Scanner } from './scanner.ts';
import { readSource } from './source.ts';

/** The maximum number of nodes in a value that errors print. */
const maxShownNodes = 10_000;
/** The maximum number of repeated keys in the message. */
const maxRepeatedKeys = 1_000;

/**
 * Decodes the first document of a YAML stream as JSON, like sigs.k8s.io/yaml. Returns null if there is none.
 *
 * @param duplicates receives go-yaml's message about repeated keys
 * @throws DecodeError with the messages of go-yaml and sigs.k8s.io/yaml
 */
export function readYaml(bytes: Uint8Array, duplicates: string[] | undefined): Json {
  const source = readSource(bytes);
  const log = parseDocument(new Scanner(source));
  if (log === undefined) return null;
  const budget = new AliasBudget(source.text.length);
  budget.count(false); // do not count the document itself
  const builder = new JsonBuilder();
  const repeated: string[] = [];
  const onRepeated = (key: Resolved, at: number): void => {
    if (repeated.length === maxRepeatedKeys) return;
    repeated.push(`line ${log.line(at) + 1}: key ${goSyntax(key)} already set in map`);
  };
  const value = decodeNode(log, 0, builder, {
    budget,
    onRepeated: duplicates && onRepeated,
    invalidKey: (at) => new DecodeError(`yaml: invalid map key: ${shownAt(log, at)}`),
  });
  builder.check(value, (at) => shownAt(log, at));
  if (repeated.length > 0) duplicates?.push(`yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`);
  return value;
}

/** Returns the node as `%#v` prints it. */
function shownAt(log: NodeLog, at: number): string {
  const budget = new AliasBudget(0);
  const tooMuch = new DecodeError();
  const builder: Builder<GoValue, GoMap> = {
    scalar(value) {
      if (budget.decoded > maxShownNodes) throw tooMuch;
      return value;
    },
    mapping: () => new GoMap(),
    set: (map, key, value) => map.set(key, value),
    value: (map) => map,
  };
  try {
    return goSyntax(decodeNode(log, at, builder, { budget, invalidKey: () => tooMuch }));
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return '...';
  }
}

interface JsonMapping {
  readonly object: JsonObject;
  /** The keys with their types. Set once there is a key that is not a string. */
  ids: Set<string> | undefined;
}

/** Builds JSON. A value that JSON cannot represent is an error only if it is part of the result. */
class JsonBuilder implements Builder<Json, JsonMapping> {
  /** Objects with a key without a JSON name: the last such key, and the index of its value. */
  readonly #badKeys = new Map<JsonObject, { key: Resolved; at: number }>();
  #hasNonFinite = false;

  scalar(value: Resolved): Json {
    if (typeof value === 'bigint') return value > maxInt64 ? Number(value) : value;
    return value instanceof GoFloat ? this.#float(value.value) : value;
  }

  /**
   * Returns a number for a float. encoding/json writes integers below 22 digits without an exponent, and they are read
   * back as integers.
   */
  #float(value: number): Json {
    if (!Number.isFinite(value)) {
      this.#hasNonFinite = true;
      return value;
    }
    if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value === 0 ? 0 : value;
    const digits = Math.abs(value) < 1e21 ? BigInt(String(value)) : undefined;
    return digits !== undefined && BigInt.asIntN(64, digits) === digits ? digits : value;
  }

  mapping(): JsonMapping {
    return { object: {}, ids: undefined };
  }

  value(mapping: JsonMapping): Json {
    return mapping.object;
  }

  set(mapping: JsonMapping, key: Resolved, value: Json, at: number): boolean {
    const { object } = mapping;
    const text = keyText(key);
    let had: boolean;
    if (typeof key === 'string' && mapping.ids === undefined) had = Object.hasOwn(object, key);
    else {
      mapping.ids ??= new Set(Object.keys(object).map(keyId));
      const id = keyId(key);
      had = mapping.ids.has(id);
      mapping.ids.add(id);
    }
    if (text === undefined) this.#badKeys.set(object, { key, at });
    else if (text === '__proto__') {
      Object.defineProperty(object, text, { value, writable: true, enumerable: true, configurable: true });
    } else object[text] = value;
    return had;
  }

  /** @param shown prints the node at an index of the log for an error @throws DecodeError if the value is not JSON */
  check(value: Json, shown: (at: number) => string): void {
    if (this.#badKeys.size > 0) {
      visit(value, false, (one) => {
        const bad = this.#badKeys.get(one as JsonObject);
        if (bad === undefined) return;
        const key = goSyntax(bad.key);
        throw new DecodeError(`unsupported map key of type: ${goType(bad.key)}, key: ${key}, value: ${shown(bad.at)}`);
      });
    }
    if (!this.#hasNonFinite) return;
    visit(value, true, (one) => {
      if (typeof one !== 'number' || Number.isFinite(one)) return;
      throw new DecodeError(`json: unsupported value: ${goSyntax(new GoFloat(one))}`);
    });
  }
}

/** Calls `each` with a value and all values in it. @param sorted whether to use Go's order of keys */
function visit(value: Json, sorted: boolean, each: (value: Json) => void): void {
  each(value);
  if (Array.isArray(value)) for (const item of value) visit(item, sorted, each);
  else if (isJsonObject(value)) {
    const members = Object.entries(value);
    if (sorted) members.sort(([a], [b]) => compareUtf8(a, b));
    for (const [, member] of members) visit(member, sorted, each);
  }
}
