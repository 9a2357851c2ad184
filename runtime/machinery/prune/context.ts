import { DecodeError } from '../errors/decode-error.ts';
import { sortedKeys } from '../go/key-order.ts';
import { Float64 } from '../json/float64.ts';
import { isJsonObject, jsonTypeOf, setMember } from '../json/values.ts';
import { maxDepth } from '../limits.ts';
import { canonicalInt64, type Integer } from '../scalars/integers.ts';
import { conversionError, convertInteger, type GoKind } from './conversion.ts';
import { rememberDropped } from './dropped-values.ts';
import { UnknownFields } from './unknown-fields.ts';

/**
 * Reads one JSON value as a Go type. Generated code calls one such function for each field. `undefined` and null read
 * as the zero value of the type; any other value of the wrong type throws DecodeError.
 *
 * @param field the JSON name of the field; "" for an element of a list or map, whose path is complete
 * @param goType the type that errors name
 */
export type Prune<T> = (value: unknown, context: PruneContext, field: string, goType: string) => T;

/** One step of a path: a field's name, an index, or the key of a map. */
type PathStep = string | number | { readonly key: string };

/** An integer type and its bounds. */
export interface IntegerRange {
  readonly kind: 'int32' | 'uint32' | 'int64' | 'uint64';
  readonly min: bigint;
  readonly max: bigint;
}

export interface PruneOptions {
  readonly collectUnknown?: boolean;
  readonly keepsNulls?: boolean;
  /** Reads values as apimachinery's converter of unstructured values does. Default: as encoding/json. */
  readonly converts?: boolean;
  /** Whether droppedMember returns values that pruning drops from an object. Default: false. */
  readonly remembersDropped?: boolean;
}

const noFields: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * The state that the generated `prune*` functions share while they read one object.
 *
 * Pruning turns decoded JSON into the JSON that Go writes after it decoded the value into a struct: fields are in
 * struct order; unknown fields, nulls and zero values of `omitempty` fields are gone; missing fields without
 * `omitempty` have their zero value; scalars have their canonical form. The input is not changed. Field names match
 * exactly, including case. (encoding/json, sigs.k8s.io/json)
 */
export class PruneContext {
  /** The path to the current value, from the root, without the root. */
  readonly #path: PathStep[] = [];
  /** The Go types of the structs being read, outermost first. */
  readonly #structs: string[] = [];
  /** `unknown field "spec.foo"`, in document order, each once, at most 100; empty unless `collectUnknown` is set. */
  readonly strictErrors: string[] = [];
  /** Whether unknown fields are recorded. Off within types whose Go decoder is not strict. */
  collectUnknown: boolean;
  /** Keeps nulls that validation refuses, as an apply does. Affects custom resources only. */
  readonly keepsNulls: boolean;
  /** Whether errors are those of the converter. Off within types with their own decoder, which reads JSON. */
  converts: boolean;
  readonly #isConverter: boolean;
  readonly #remembersDropped: boolean;
  #unknown: UnknownFields | undefined;

  constructor(options: PruneOptions = {}) {
    this.collectUnknown = options.collectUnknown ?? false;
    this.keepsNulls = options.keepsNulls ?? false;
    this.#isConverter = options.converts ?? false;
    this.converts = this.#isConverter;
    this.#remembersDropped = options.remembersDropped ?? false;
  }

  /**
   * Begins a struct. Null and undefined read as a struct without fields.
   *
   * @param field the name of the field that holds the struct; "" at the root and for elements of lists and maps
   * @param goType of the struct, as `v1.PodSpec`
   */
  enter(value: unknown, field: string, goType: string): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || Array.isArray(value) || value instanceof Float64) {
      if (value !== undefined) this.typeMismatch(value, field, goType, 'struct');
    }
    if (field !== '') this.#path.push(field);
    if (this.#path.length > maxDepth) throw new DecodeError('exceeded max depth');
    this.#structs.push(goType);
    return (value as Readonly<Record<string, unknown>> | null | undefined) ?? noFields;
  }

  /** Ends the struct that `enter` began with the same `field`. */
  leave(
    input: Readonly<Record<string, unknown>>,
    known: ReadonlySet<string>,
    field: string,
    output?: Readonly<Record<string, unknown>>,
  ): void {
    this.#structs.pop();
    if (this.#remembersDropped && output !== undefined) rememberDroppedMembers(input, known, output);
    if (this.collectUnknown) this.reportUnknown(input, known);
    if (field !== '') this.#path.pop();
  }

  /** Records the keys of `value` that are not in `known`. The last call, for the root, reports all records. */
  reportUnknown(value: object, known: ReadonlySet<string>): void {
    if (!this.collectUnknown) return;
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue;
      this.#unknown ??= new UnknownFields();
      this.#unknown.add(value, known);
      break;
    }
    if (this.#path.length > 0 || this.#unknown === undefined) return;
    this.#unknown.report(value, this.strictErrors);
    this.#unknown = undefined;
  }

  /** Reads a list field. Returns null for null, as Go writes a nil slice. */
  list<T>(value: unknown, field: string, goType: string, item: Prune<T>): T[] | null {
    if (value == null) return null;
    if (!Array.isArray(value)) this.typeMismatch(value, field, goType, 'slice');
    const output: T[] = [];
    if (value.length === 0) return output;
    // the lists with names of their own have texts, as v1.ExtraValue
    const itemType = goType.startsWith('[]') ? goType.slice(2) : 'string';
    const path = this.#path;
    if (field !== '') path.push(field);
    const at = path.push(0) - 1;
    for (let index = 0; index < value.length; index++) {
      path[at] = index;
      output.push(item(value[index], this, '', itemType));
    }
    path.pop();
    if (field !== '') path.pop();
    return output;
  }

  /** Reads a map field, with its keys in Go's order. Returns null for null, as Go writes a nil map. */
  map<T>(value: unknown, field: string, goType: string, item: Prune<T>): Record<string, T> | null {
    if (value == null) return null;
    if (!isJsonObject(value)) this.typeMismatch(value, field, goType, 'map');
    const itemType = goType.startsWith('map[') ? goType.slice(goType.indexOf(']') + 1) : goType;
    const output: Record<string, T> = {};
    const path = this.#path;
    if (field !== '') path.push(field);
    for (const key of sortedKeys(value)) {
      path.push({ key });
      setMember(output, key, item(value[key], this, '', itemType));
      path.pop();
    }
    if (field !== '') path.pop();
    return output;
  }

  /** Reads an integer field. Returns 0 for null. */
  integer(value: unknown, field: string, goType: string, { kind, min, max }: IntegerRange): Integer {
    if (value == null) return 0;
    const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof Float64;
    if (!isNumber) this.typeMismatch(value, field, goType, kind);
    if (this.converts) return convertInteger(value, goType, kind);
    if (value instanceof Float64) this.#outOfRange(value, field, goType);
    if (typeof value === 'number' && !Number.isInteger(value)) this.#outOfRange(value, field, goType);
    const exact = BigInt(value);
    if (exact < min || exact > max) this.#outOfRange(value, field, goType);
    return canonicalInt64(exact);
  }

  /**
   * Refuses a value of the wrong JSON type, in the words of encoding/json or of the converter.
   *
   * @param field the field's name in the innermost struct; "" if the path is complete
   * @param goType the field's type, such as `int32` or `[]v1.Container`
   */
  typeMismatch(value: unknown, field: string, goType: string, kind: GoKind): never {
    if (this.converts) throw new DecodeError(conversionError(value, goType, kind));
    if (field !== '') this.#path.push(field);
    this.#refuse(jsonTypeOf(value), goType);
  }

  #outOfRange(value: Integer | Float64, field: string, goType: string): never {
    if (field !== '') this.#path.push(field);
    this.#refuse(`number ${value}`, goType);
  }

  #refuse(what: string, goType: string): never {
    const names = this.#path.filter((step): step is string => typeof step === 'string');
    const struct = this.#structs.at(-1);
    const where =
      struct === undefined || names.length === 0 || this.#isConverter
        ? `Go value of type ${goType}`
        : `Go struct field ${struct.slice(struct.lastIndexOf('.') + 1)}.${names.join('.')} of type ${goType}`;
    throw new DecodeError(`json: cannot unmarshal ${what} into ${where}`);
  }
}

function rememberDroppedMembers(
  input: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  output: Readonly<Record<string, unknown>>,
): void {
  for (const name in input) {
    const value = input[name];
    if (isDroppable(value) && output[name] == null && known.has(name)) rememberDropped(output, name, value);
  }
}

/** Reports whether pruning may drop a value that is not a zero: an empty list or map, or Go's zero time. */
function isDroppable(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(zeroTimeStart);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** The start of Go's zero time in any time zone: its year is 1 or 0. */
const zeroTimeStart = '000';
