/** Descriptions of things and of their parts: of schemas and fields, or of operations and parameters. */
export class Texts {
  readonly #texts = new Map<string, Map<string, string>>();

  /** @param part "" for the thing itself */
  add(name: string, part: string, text: string): void {
    const parts = this.#texts.get(name) ?? new Map<string, string>();
    this.#texts.set(name, parts.set(part, text));
  }

  /** Undefined if nothing is known of the thing. */
  of(name: string): ReadonlyMap<string, string> | undefined {
    return this.#texts.get(name);
  }
}
