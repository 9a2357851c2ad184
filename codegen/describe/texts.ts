/** Descriptions of things and their parts: schemas and fields, or operations and parameters. */
export class Texts {
  readonly #texts = new Map<string, Map<string, string>>();

  /** @param part "" for the thing itself */
  add(name: string, part: string, text: string): void {
    const parts = this.#texts.get(name) ?? new Map<string, string>();
    this.#texts.set(name, parts.set(part, text));
  }

  /** Returns undefined if no part of the thing has a text. */
  of(name: string): ReadonlyMap<string, string> | undefined {
    return this.#texts.get(name);
  }
}
