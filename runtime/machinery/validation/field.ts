import type { FieldError } from './field-error.ts';
import * as make from './field-error.ts';
import { FieldErrors } from './field-errors.ts';
import { FieldPath } from './field-path.ts';
import { defaultRules, type ReleaseRules, type RuleChange } from './rule-changes.ts';

/**
 * A field under validation: its path, and the error list of the whole object. Validators take a Field where upstream's
 * take a field.Path and return a field.ErrorList.
 */
export class Field extends FieldPath {
  readonly errors: FieldError[];

  private constructor(parent: FieldPath | undefined, segment: string, errors: FieldError[]) {
    super(parent, segment);
    this.errors = errors;
  }

  /** Returns the field at a path. Its errors and those of the fields below it are appended to `errors`. */
  static at(path: FieldPath, errors: FieldError[]): Field {
    return new Field(path, '', errors);
  }

  /** The rules of the release. An error list without a release has those of the default one. */
  get rules(): ReleaseRules {
    return this.errors instanceof FieldErrors ? this.errors.rules : defaultRules;
  }

  /** Reports whether the release has a change of rules. */
  follows(change: RuleChange): boolean {
    return this.rules.changes[change];
  }

  override child(...names: string[]): Field {
    let field: Field = this;
    for (const name of names) field = new Field(field, field.memberSegment(name), this.errors);
    return field;
  }

  override index(index: number): Field {
    return new Field(this, `[${index}]`, this.errors);
  }

  override key(key: string): Field {
    return new Field(this, `[${key}]`, this.errors);
  }

  required(detail?: string): void {
    this.errors.push(make.required(this, detail));
  }

  invalid(value: unknown, detail: string): void {
    this.errors.push(make.invalid(this, value, detail));
  }

  forbidden(detail: string): void {
    this.errors.push(make.forbidden(this, detail));
  }

  duplicate(value: unknown, detail?: string): void {
    this.errors.push(make.duplicate(this, value, detail));
  }

  notFound(value: unknown, detail?: string): void {
    this.errors.push(make.notFound(this, value, detail));
  }

  internalError(detail: string): void {
    this.errors.push(make.internalError(this, detail));
  }

  notSupported(value: unknown, supported: readonly string[], isNamed = true): void {
    this.errors.push(make.notSupported(this, value, supported, isNamed));
  }

  tooLong(value: unknown, maxLength: number): void {
    this.errors.push(make.tooLong(this, value, maxLength));
  }

  tooMany(actual: number, max: number): void {
    this.errors.push(make.tooMany(this, actual, max));
  }
}
