import { DecodeError } from '../errors/decode-error.ts';
import { maxDepth } from '../limits.ts';

import { UnknownFields } from './unknown-fields.ts';

/** One step of a path: a field's name, an index, or the key of a map. */
export type PathStep = string | number | { readonly key: string };

const nothing: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * What the generated `prune*` functions share.
 *
 * Pruning turns a decoded JSON value into what Go would hold after decoding it into its struct and would
 * write back: fields in struct order, unknown fields and nulls gone, zero values of `omitempty` fields gone,
 * missing fields without `omitempty` at their zero value, scalars in their canonical form. The input is not
 * changed. (encoding/json and sigs.k8s.io/json semantics: names are matched exactly, with case)
 */
export class PruneContext {
  /** From the root to the value being read, without the root. */
  readonly path: PathStep[] = [];
  /** `unknown field "spec.foo"`, in document order, each once, at most 100; collected only when asked for. */
  readonly strictErrors: string[] = [];
  /** Unknown fields are noted. Switched off while a type is read whose Go decoder is not strict. */
  collectUnknown: boolean;
  #unknown: UnknownFields | undefined;

  constructor(options: { collectUnknown?: boolean } = {}) {
    this.collectUnknown = options.collectUnknown ?? false;
  }

  /**
   * Begins to read the fields of a struct; null and absence read as a struct without fields.
   *
   * @param struct Go name of the struct that has the value in a field, "" at the root
   * @param field the field's name, "" where the path is there already (the root, elements of lists and maps)
   * @param goType of the value, as `v1.PodSpec`
   */
  enter(value: unknown, struct: string, field: string, goType: string): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || Array.isArray(value)) {
      if (value !== undefined) this.fieldMismatch(value, struct, field, goType);
    }
    if (field !== '') this.path.push(field);
    if (this.path.length > maxDepth) throw new DecodeError('exceeded max depth');
    return (value as Readonly<Record<string, unknown>> | null | undefined) ?? nothing;
  }

  /** Ends what `enter` began with the same `field`. */
  leave(input: object, known: ReadonlySet<string>, field: string): void {
    if (this.collectUnknown) this.reportUnknown(input, known);
    if (field !== '') this.path.pop();
  }

  /** Notes whether `value` has keys that are not in `known`. At the root, last, it reports all that were noted. */
  reportUnknown(value: object, known: ReadonlySet<string>): void {
    if (!this.collectUnknown) return;
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue;
      this.#unknown ??= new UnknownFields();
      this.#unknown.note(value, known);
      break;
    }
    if (this.path.length > 0 || this.#unknown === undefined) return;
    this.#unknown.report(value, this.strictErrors);
    this.#unknown = undefined;
  }

  /**
   * Refuses a value of the wrong JSON type, in encoding/json's words.
   *
   * @param struct Go name of the innermost struct, as `PodSpec`; empty at the root
   * @param goType the field's Go type, as `int32` or `[]v1.Container`
   */
  mismatch(value: unknown, struct: string, goType: string): never {
    this.#refuse(jsonTypeName(value), struct, goType);
  }

  /** mismatch for a field of the struct whose path is the current one; `field` "" is the current one itself. */
  fieldMismatch(value: unknown, struct: string, field: string, goType: string): never {
    if (field !== '') this.path.push(field);
    this.#refuse(jsonTypeName(value), struct, goType);
  }

  /** Refuses a number that the field's Go type cannot hold. */
  outOfRange(value: number | bigint, struct: string, field: string, goType: string): never {
    if (field !== '') this.path.push(field);
    this.#refuse(`number ${value}`, struct, goType);
  }

  #refuse(what: string, struct: string, goType: string): never {
    const names = this.path.filter((step): step is string => typeof step === 'string');
    const where =
      struct === '' || names.length === 0
        ? `Go value of type ${goType}`
        : `Go struct field ${struct}.${names.join('.')} of type ${goType}`;
    throw new DecodeError(`json: cannot unmarshal ${what} into ${where}`);
  }
}

function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'bool';
    default:
      return value === null ? 'null' : 'object';
  }
}
