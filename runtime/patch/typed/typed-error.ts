import { excerpt } from '../../machinery/errors/excerpt.ts';
import { maxDetailLength } from '../../machinery/limits.ts';

/** What is wrong with one part of a value. */
export interface TypeProblem {
  /** As `.spec.ports[port=80]`; "" for the whole. */
  path: string;
  readonly message: string;
}

/** A value is not of its type. (structured-merge-diff typed.ValidationErrors) */
export class TypedError extends Error {
  readonly isTypedError = true;

  constructor(problems: readonly TypeProblem[]) {
    super(excerpt(problemsText(problems), maxDetailLength));
  }
}

export function isTypedError(error: unknown): error is TypedError {
  return typeof error === 'object' && error !== null && (error as TypedError).isTypedError === true;
}

function problemsText(problems: readonly TypeProblem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return lines.length === 1 ? lines[0] : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}
