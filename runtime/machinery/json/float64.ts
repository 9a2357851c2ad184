/**
 * A whole number that was written with a fraction or an exponent, as `5.0` or `1e3`. Go decodes it to float64, and `5`
 * to int64. JSON from clients keeps the difference; stored JSON does not, because Go writes both as `5`.
 */
export class Float64 {
  readonly #text: string;

  /** @param text the number as it was written */
  constructor(text: string) {
    this.#text = text;
  }

  get value(): number {
    return Number(this.#text);
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): number {
    return this.value;
  }
}

/**
 * Returns the plain number, for code that does not distinguish integers and floats. Other values are returned
 * unchanged.
 */
export function withoutFloat64<T>(value: T | Float64): T | number {
  return value instanceof Float64 ? value.value : value;
}
