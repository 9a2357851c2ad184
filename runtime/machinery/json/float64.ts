/**
 * A whole number that was written with a fraction or an exponent, as `5.0` or `1e3`. Go decodes it to float64, and `5` to
 * int64. JSON that is sent makes the difference; stored JSON has none, because Go writes both as `5`.
 */
export class Float64 {
  readonly #text: string;

  /** @param text as it was written */
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

/** The number itself, for code to which integers and floats are the same. All other values are returned as they are. */
export function withoutFloat64<T>(value: T | Float64): T | number {
  return value instanceof Float64 ? value.value : value;
}
