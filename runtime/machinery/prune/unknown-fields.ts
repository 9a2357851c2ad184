import { quote } from '../go/quote.ts';
import { StepPath } from '../json/step-path.ts';
import { maxReportedErrors } from '../limits.ts';

/**
 * Objects that have fields their type does not know. Types read their fields in an order of their own, and reports come
 * in that of the document: so only the objects are noted at first, and the fields are told in a walk through the whole.
 */
export class UnknownFields {
  readonly #known = new Map<object, ReadonlySet<string>>();
  /** How many are still to come. One that several places share was noted at each. */
  #left = 0;
  readonly #path = new StepPath();
  readonly #told = new Set<string>();

  add(object: object, known: ReadonlySet<string>): void {
    this.#known.set(object, known);
    this.#left++;
  }

  /** Appends `unknown field "spec.foo"`, each once, until there are 100. Stops when all that was noted is told. */
  report(value: object, reports: string[]): void {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && this.#left > 0; index++) this.#below(index, value[index], reports);
      return;
    }
    const known = this.#known.get(value);
    if (known !== undefined) this.#left--;
    else if (this.#left === 0) return;
    for (const key of Object.keys(value)) {
      if (known === undefined || known.has(key)) {
        this.#below(key, (value as Record<string, unknown>)[key], reports);
      } else if (reports.length < maxReportedErrors) this.#tell(key, reports);
      else return;
    }
  }

  #below(step: string | number, member: unknown, reports: string[]): void {
    if (typeof member !== 'object' || member === null || this.#left === 0 || reports.length >= maxReportedErrors)
      return;
    this.#path.enter(step);
    this.report(member, reports);
    this.#path.leave();
  }

  #tell(key: string, reports: string[]): void {
    this.#path.enter(key);
    const path = this.#path.toString();
    this.#path.leave();
    if (this.#told.has(path)) return;
    this.#told.add(path);
    reports.push(`unknown field ${quote(path)}`);
  }
}
