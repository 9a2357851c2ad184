import { quote } from '../machinery/go/quote.ts';
import { StepPath } from '../machinery/json/step-path.ts';
import { maxReportedErrors } from '../machinery/limits.ts';

/** The position of a decoder in a document, for reports of repeated fields: `duplicate field "spec.ports[0].name"`. */
export class FieldSteps {
  readonly #path = new StepPath();
  readonly #duplicates: string[] | undefined;
  #reported: Set<string> | undefined;

  constructor(duplicates: string[] | undefined) {
    this.#duplicates = duplicates;
  }

  /** Enters a field. Reports it if it was `seen` before, once for each path. */
  enterKey(key: string, seen: boolean): void {
    this.#path.enter(key);
    if (seen && this.#duplicates !== undefined) this.#report(this.#duplicates);
  }

  #report(duplicates: string[]): void {
    if (duplicates.length >= maxReportedErrors) return;
    this.#reported ??= new Set();
    const path = this.toString();
    if (this.#reported.has(path)) return;
    this.#reported.add(path);
    duplicates.push(`duplicate field ${quote(path)}`);
  }

  enterIndex(index: number): void {
    this.#path.enter(index);
  }

  leave(): void {
    this.#path.leave();
  }

  toString(): string {
    return this.#path.toString();
  }
}
