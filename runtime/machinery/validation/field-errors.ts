import { maxReportedErrors } from '../limits.ts';
import type { FieldError } from './field-error.ts';
import { defaultRules, inFormerWords, type ReleaseRules } from './rule-changes.ts';

/** Placeholder for errors that are only counted. */
const counted: FieldError = { type: 'InternalError', field: '', detail: 'one error too many' };

/** The errors of one object. Retains the first `maxReportedErrors`. `length` counts all errors. */
export class FieldErrors extends Array<FieldError> {
  /** map, filter and so on return plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The rules of the release that the object is validated for. */
  readonly rules: ReleaseRules;

  constructor(rules: ReleaseRules = defaultRules) {
    super();
    this.rules = rules;
  }

  override push(...errors: readonly FieldError[]): number {
    for (const error of errors) super.push(this.length < maxReportedErrors ? this.#worded(error) : counted);
    return this.length;
  }

  #worded(error: FieldError): FieldError {
    return this.rules.formerWordings.length === 0 ? error : { ...error, detail: inFormerWords(error.detail, this.rules) };
  }
}
