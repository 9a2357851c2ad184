/** A problem of the input: the file (relative to the schemas folder), a JSON pointer into it, and a message. */
export interface SchemaProblem {
  readonly file: string;
  /** A pointer of RFC 6901 with a leading `#`; `#/Message/field` in a .proto. */
  readonly pointer: string;
  readonly message: string;
}

const brand = 'kubeloom.SchemaErrors';

/** Every problem of a schemas folder. The message has a line for each. */
export class SchemaErrors extends Error {
  readonly brand = brand;
  readonly problems: readonly SchemaProblem[];

  constructor(problems: readonly SchemaProblem[]) {
    super(problems.map(problemLine).join('\n'));
    this.name = 'SchemaErrors';
    this.problems = problems;
  }
}

export function isSchemaErrors(error: unknown): error is SchemaErrors {
  return typeof error === 'object' && error !== null && (error as { brand?: unknown }).brand === brand;
}

export const problemLine = ({ file, pointer, message }: SchemaProblem): string => `${file}${pointer}: ${message}`;

/** Collects problems, so that one run reports all of them. */
export class ProblemList {
  readonly #problems: { readonly problem: SchemaProblem; readonly path: readonly string[] }[] = [];

  add(file: string, path: readonly string[], message: string): void {
    this.#problems.push({ problem: { file, pointer: pointerOf(path), message }, path });
  }

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  /** @param change receives each problem and the parts of its pointer */
  map(change: (problem: SchemaProblem, path: readonly string[]) => SchemaProblem): SchemaProblem[] {
    return this.#problems.map(({ problem, path }) => change(problem, path));
  }

  throwIfAny(): void {
    if (!this.isEmpty) throw new SchemaErrors(this.map((problem) => problem));
  }
}

export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** A pointer with its leading `#`. */
export const pointerOf = (path: readonly string[]): string => `#${path.map((part) => `/${escapePointer(part)}`).join('')}`;

/** Returns the parts of a pointer with a leading `#`. */
export const pointerParts = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
