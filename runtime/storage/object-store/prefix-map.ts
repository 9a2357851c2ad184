/**
 * Values by the prefix of keys. Prefixes end with a slash. A prefix may begin with another one, and objects may be at
 * any depth below it, so only known prefixes show where the prefix of a key ends.
 */
export class PrefixMap<T> {
  readonly #values = new Map<string, T>();

  get(prefix: string): T | undefined {
    return this.#values.get(prefix);
  }

  set(prefix: string, value: T): void {
    this.#values.set(prefix, value);
  }

  delete(prefix: string): void {
    this.#values.delete(prefix);
  }

  values(): IterableIterator<T> {
    return this.#values.values();
  }

  /** Returns the value of the longest prefix that the key has. Costs at most one look-up per slash. */
  find(key: string): T | undefined {
    for (let slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
      const value = this.#values.get(key.slice(0, slash + 1));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
