import { quote } from '../go/quote.ts';
import { StepPath } from '../json/step-path.ts';
import { maxReportedErrors } from '../limits.ts';

/**
 * Finds the unknown fields of a document in document order. Types read their fields in their own order, so pruning only
 * records the objects with unknown fields, and one walk through the whole document reports them.
 */
export class UnknownFields {
  readonly #known = new Map<object, ReadonlySet<string>>();
  /**
   * The number of recorded objects that the walk has not reached. An object in several places is recorded once for
   * each.
   */
  #remaining = 0;
  readonly #path = new StepPath();
  readonly #reported = new Set<string>();

  add(object: object, known: ReadonlySet<string>): void {
    this.#known.set(object, known);
    this.#remaining++;
  }

  /** Appends `unknown field "spec.foo"`, each text once, up to the limit. Stops after the last recorded object. */
  report(value: object, reports: string[]): void {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && this.#remaining > 0; index++) this.#below(index, value[index], reports);
      return;
    }
    const known = this.#known.get(value);
    if (known !== undefined) this.#remaining--;
    else if (this.#remaining === 0) return;
    for (const key of Object.keys(value)) {
      if (known === undefined || known.has(key)) {
        this.#below(key, (value as Record<string, unknown>)[key], reports);
      } else if (reports.length < maxReportedErrors) this.#report(key, reports);
      else return;
    }
  }

  #below(step: string | number, member: unknown, reports: string[]): void {
    if (typeof member !== 'object' || member === null || this.#remaining === 0 || reports.length >= maxReportedErrors) return;
    this.#path.enter(step);
    this.report(member, reports);
    this.#path.leave();
  }

  #report(key: string, reports: string[]): void {
    this.#path.enter(key);
    const path = this.#path.toString();
    this.#path.leave();
    if (this.#reported.has(path)) return;
    this.#reported.add(path);
    reports.push(`unknown field ${quote(path)}`);
  }
}
