/** Strings longer than this are rarely met twice. */
const maxLength = 64;
const maxStrings = 20_000;

/** Keeps one copy of strings met again and again: label values, names of namespaces and nodes. */
export class Interner {
  #strings = new Map<string, string>();

  intern(text: string): string {
    if (text.length > maxLength) return text;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    // Forgetting all now and then costs some duplicates and needs no bookkeeping.
    if (this.#strings.size >= maxStrings) this.#strings = new Map();
    this.#strings.set(text, text);
    return text;
  }

  /** A copy with the same members, all strings. What is not a string is left out. */
  internRecord(record: Readonly<Record<string, unknown>> | null | undefined): Record<string, string> {
    const copy: Record<string, string> = {};
    if (typeof record !== 'object' || record === null) return copy;
    for (const key of Object.keys(record)) {
      const value = record[key];
      if (typeof value !== 'string') continue;
      if (key === '__proto__') {
        Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
      } else {
        copy[this.intern(key)] = this.intern(value);
      }
    }
    return copy;
  }
}
