import { quote } from '../machinery/go/quote.ts';
import { StepPath } from '../machinery/json/step-path.ts';
import { maxReportedErrors } from '../machinery/limits.ts';

/**
 * The order of a document's strict decoding errors. For `{"a": 1, "b": 1, "b": 2}`, the order is `unknown field "a"`,
 * `unknown field "b"`, `duplicate field "b"`.
 */
export class StrictErrorOrder {
  readonly #positions = new Map<string, number>();

  /** Records the next field of the document. */
  note(path: string): void {
    const unknown = `unknown field ${quote(path)}`;
    const error = this.#positions.has(unknown) ? `duplicate field ${quote(path)}` : unknown;
    if (!this.#positions.has(error)) this.#positions.set(error, this.#positions.size);
  }

  /** Returns errors in the order of their fields. Other errors come last. */
  sort(errors: readonly string[]): string[] {
    const positionOf = (error: string): number => this.#positions.get(error) ?? Number.POSITIVE_INFINITY;
    return [...errors].sort((a, b) => {
      const [left, right] = [positionOf(a), positionOf(b)];
      return left === right ? 0 : left - right;
    });
  }
}

/** The position of a decoder in a document, for reports of repeated fields: `duplicate field "spec.ports[0].name"`. */
export class FieldSteps {
  readonly #path = new StepPath();
  readonly #duplicates: string[] | undefined;
  readonly #order: StrictErrorOrder | undefined;
  #reported: Set<string> | undefined;

  constructor(duplicates: string[] | undefined, order?: StrictErrorOrder) {
    this.#duplicates = duplicates;
    this.#order = order;
  }

  /** Enters a field. Reports it if it was `seen` before, once for each path. */
  enterKey(key: string, seen: boolean): void {
    this.#path.enter(key);
    this.#order?.note(this.toString());
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
