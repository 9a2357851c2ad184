import { excerpt } from '../../machinery/errors/excerpt.ts';
import { maxExcerptLength, maxReportedErrors } from '../../machinery/limits.ts';
import type { Json } from '../../machinery/object.ts';
import { type FieldError, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';

/** An error of validation. `message` contains the path. Equal messages are reported once. */
export type Problem =
  | { readonly code: 'required'; readonly name: string; readonly message: string }
  | {
      readonly code: 'enum';
      readonly name: string;
      readonly message: string;
      readonly value: Json;
      readonly values: readonly Json[];
    }
  | { readonly code: 'too-long'; readonly name: string; readonly message: string; readonly max: number }
  | {
      readonly code: 'too-many';
      readonly name: string;
      readonly message: string;
      readonly actual: number;
      readonly max: number;
    }
  | { readonly code: 'type'; readonly name: string; readonly message: string; readonly value: unknown }
  | { readonly code: 'value'; readonly name: string; readonly message: string; readonly value: unknown }
  /** An error of a whole schema, such as oneOf, without a field. */
  | { readonly code: 'composite'; readonly message: string };

/**
 * The result of a value's check against a schema. `matches` counts the passed checks: anyOf and oneOf report the
 * alternative with the most. (kube-openapi pkg/validation/validate/result.go)
 */
export class Result {
  problems: Problem[] = [];
  matches = 0;

  /** Whether further errors are omitted. */
  get isFull(): boolean {
    return this.problems.length >= maxReportedErrors;
  }

  merge(other: Result): void {
    for (const problem of other.problems) {
      if (this.isFull) break;
      this.problems.push(problem);
    }
    this.matches += other.matches;
  }
}

/** The causes of a Status. (apiextensions-apiserver pkg/apiserver/validation/validation.go kubeOpenAPIResultToFieldErrors) */
export function fieldErrors(problems: readonly Problem[], path: FieldPath, errors: FieldError[]): void {
  const reported = new Set<string>();
  for (const problem of problems) {
    if (reported.has(problem.message)) continue;
    reported.add(problem.message);
    errors.push(fieldError(problem, path));
  }
}

function fieldError(problem: Problem, path: FieldPath): FieldError {
  if (problem.code === 'composite') return invalid(path, '', problem.message);
  const name = problem.name.startsWith('.') ? problem.name.slice(1) : problem.name;
  const at = name === '' ? path : path.child(name);
  switch (problem.code) {
    case 'required':
      return required(at);
    case 'enum':
      return notSupported(at, problem.value, shownValues(problem.values));
    case 'too-long':
      return tooLong(at, '', problem.max);
    case 'too-many':
      return tooMany(at, problem.actual, problem.max);
    case 'type':
      return typeInvalid(at, problem.value ?? '', problem.message);
    default:
      return invalid(at, problem.value ?? '', problem.message);
  }
}

/** Returns the members of an enum that fit into a message. */
function shownValues(values: readonly Json[]): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const value of values) {
    const text = excerpt(enumText(value));
    length += text.length;
    if (length > 2 * maxExcerptLength) return [...shown, '...'];
    shown.push(text);
  }
  return shown;
}

function enumText(value: Json): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? Number(inner) : inner));
}
