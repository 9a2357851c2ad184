/** A problem of the input: the file (relative to the schemas folder), a JSON pointer into it, and what is wrong. */
export interface SchemaProblem {
  readonly file: string;
  /** RFC 6901 with the leading `#`; `#/Message/field` in a .proto. */
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
  readonly #problems: SchemaProblem[] = [];

  add(file: string, pointer: readonly string[], message: string): void {
    this.#problems.push({ file, pointer: `#${pointer.map((part) => `/${escapePointer(part)}`).join('')}`, message });
  }

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  throwIfAny(): void {
    if (this.#problems.length > 0) throw new SchemaErrors(this.#problems);
  }
}

export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
