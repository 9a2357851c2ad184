import { ArgumentSpace, ArgumentSpaceError } from '../../environment/argument-space.ts';

/** The variables of a shell. */
export class Variables {
  readonly #values: Map<string, string>;
  readonly #exported: Set<string>;
  readonly #readOnly: Set<string>;
  /** The room that variables leave; undefined before the first assignment. */
  #room: ArgumentSpace | undefined;

  constructor(values: ReadonlyMap<string, string>, exported: Iterable<string> = values.keys(), readOnly: Iterable<string> = []) {
    this.#values = new Map(values);
    this.#exported = new Set(exported);
    this.#readOnly = new Set(readOnly);
  }

  copy(): Variables {
    return new Variables(this.#values, this.#exported, this.#readOnly);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** @throws ArgumentSpaceError if the variables together take too much room */
  set(name: string, value: string): void {
    if (this.#readOnly.has(name)) throw new ReadOnlyError(name);
    if (this.#room === undefined) {
      this.#room = new ArgumentSpace();
      for (const each of this.#values.values()) this.#room.take(each);
    }
    const before = this.#values.get(name);
    if (before !== undefined) this.#room.giveBack(before);
    // copies the text: a concatenated string would keep its parts in memory
    const stored = Buffer.from(value).toString();
    try {
      this.#room.take(stored);
    } catch (error) {
      if (before !== undefined) this.#room.take(before);
      throw error;
    }
    this.#values.set(name, stored);
  }

  unset(name: string): void {
    if (this.#readOnly.has(name)) throw new ReadOnlyError(name);
    const before = this.#values.get(name);
    if (before !== undefined) this.#room?.giveBack(before);
    this.#values.delete(name);
    this.#exported.delete(name);
  }

  export(name: string): void {
    this.#exported.add(name);
  }

  protect(name: string): void {
    this.#readOnly.add(name);
  }

  /** Returns what children get. */
  environment(): Map<string, string> {
    const env = new Map<string, string>();
    for (const name of this.#exported) {
      const value = this.#values.get(name);
      if (value !== undefined) env.set(name, value);
    }
    return env;
  }

  *entries(): Iterable<readonly [string, string]> {
    yield* this.#values;
  }

  get size(): number {
    return this.#values.size;
  }
}

export class ReadOnlyError extends ArgumentSpaceError {
  constructor(name: string) {
    super();
    this.message = `${name}: is read only`;
  }
}
