import { excerpt } from '../../machinery/errors/excerpt.ts';
import { maxDetailLength } from '../../machinery/limits.ts';

/** An error in a part of a value. */
export interface ValidationError {
  /** For example `.spec.ports[port=80]`; "" for the whole value. */
  path: string;
  readonly message: string;
}

/** A value does not match its schema. (structured-merge-diff typed.ValidationErrors) */
export class ValidationErrors extends Error {
  readonly isValidationErrors = true;

  constructor(errors: readonly ValidationError[]) {
    super(excerpt(formatErrors(errors), maxDetailLength));
  }
}

export function isValidationErrors(error: unknown): error is ValidationErrors {
  return typeof error === 'object' && error !== null && (error as ValidationErrors).isValidationErrors === true;
}

function formatErrors(errors: readonly ValidationError[]): string {
  const lines = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const [only, ...more] = lines;
  if (only !== undefined && more.length === 0) return only;
  return ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}
