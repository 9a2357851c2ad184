import { quote } from '../machinery/quote.ts';

/** Most errors that one strict decode reports. (sigs.k8s.io/json) */
const maxReports = 100;

/** Where a decoder is in a document, to say which field is there twice: `duplicate field "spec.ports[0].name"`. */
export class FieldSteps {
  readonly #steps: (string | number)[] = [];
  readonly #duplicates: string[] | undefined;

  constructor(duplicates: string[] | undefined) {
    this.#duplicates = duplicates;
  }

  /** Steps into a field; one that was `seen` before is reported, each path once. */
  enterKey(key: string, seen: boolean): void {
    this.#steps.push(key);
    if (!seen || this.#duplicates === undefined || this.#duplicates.length >= maxReports) return;
    const message = `duplicate field ${quote(this.toString())}`;
    if (!this.#duplicates.includes(message)) this.#duplicates.push(message);
  }

  enterIndex(index: number): void {
    this.#steps.push(index);
  }

  leave(): void {
    this.#steps.pop();
  }

  toString(): string {
    let path = '';
    for (const step of this.#steps) path += typeof step === 'number' ? `[${step}]` : path === '' ? step : `.${step}`;
    return path;
  }
}
