/**
 * What the generated `prune*` functions share.
 *
 * Pruning turns a decoded JSON value into what Go would hold after decoding it into its struct and would
 * write back: fields in struct order, unknown fields and nulls gone, zero values of `omitempty` fields gone,
 * missing fields without `omitempty` at their zero value, scalars in their canonical form. The input is not
 * changed. (encoding/json and sigs.k8s.io/json semantics: names are matched exactly, with case)
 */
export class PruneContext {
  /** Names and indexes from the root to the value being read, without the root. */
  readonly path: (string | number)[] = [];
  /** `unknown field "spec.foo"`, in document order; collected only when asked for. */
  readonly strictErrors: string[] = [];
  readonly collectUnknown: boolean;

  constructor(options: { collectUnknown?: boolean } = {}) {
    this.collectUnknown = options.collectUnknown ?? false;
  }

  /** Notes the keys of `value` that are not in `known`. */
  reportUnknown(value: object, known: ReadonlySet<string>): void {
    if (!this.collectUnknown) return;
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue;
      this.path.push(key);
      this.strictErrors.push(`unknown field "${renderPath(this.path)}"`);
      this.path.pop();
    }
  }

  /**
   * Refuses a value of the wrong JSON type, in encoding/json's words.
   *
   * @param struct Go name of the innermost struct, as `PodSpec`; empty at the root
   * @param goType the field's Go type, as `int32` or `[]v1.Container`
   */
  mismatch(value: unknown, struct: string, goType: string): never {
    const names = this.path.filter((step): step is string => typeof step === 'string');
    const where =
      struct === '' || names.length === 0 ? '' : `Go struct field ${struct}.${names.join('.')} of type ${goType}`;
    throw new DecodeError(
      `json: cannot unmarshal ${jsonTypeName(value)} into ${where === '' ? `Go value of type ${goType}` : where}`,
    );
  }
}

/** A body that cannot be read as its kind. Becomes a 400 BadRequest. */
export class DecodeError extends Error {
  readonly isDecodeError = true;
}

export function isDecodeError(error: unknown): error is DecodeError {
  return typeof error === 'object' && error !== null && (error as DecodeError).isDecodeError === true;
}

function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isInteger(value) ? 'number' : `number ${value}`;
    case 'bigint':
      return `number ${value}`;
    case 'boolean':
      return 'bool';
    default:
      return value === null ? 'null' : 'object';
  }
}

function renderPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}
