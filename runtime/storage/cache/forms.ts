interface Form {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly home: Map<string, Form>;
  /** Asked for since the last look. */
  hot: boolean;
}

/** Beside its bytes, what keeping a form costs, about. */
const formOverhead = 200;

/**
 * Other encodings of objects, within one budget for all. Eviction is second chance: a queue in the order of
 * making; what was asked for since it came round last goes round once more.
 */
export class FormCache {
  readonly #budget: number;
  #queue: Form[] = [];
  #head = 0;
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** The bytes held, with their overhead. */
  get bytes(): number {
    return this.#bytes;
  }

  get(home: Map<string, Form>, key: string, make: () => Uint8Array): Uint8Array {
    const known = home.get(key);
    if (known !== undefined) {
      known.hot = true;
      return known.bytes;
    }
    const bytes = make();
    const size = bytes.length + formOverhead;
    // One that would push out a large part of the others is not worth keeping.
    if (size > this.#budget / 8) return bytes;
    const form: Form = { key, bytes, home, hot: false };
    home.set(key, form);
    this.#queue.push(form);
    this.#bytes += size;
    while (this.#bytes > this.#budget) this.#evict();
    return bytes;
  }

  #evict(): void {
    const form = this.#queue[this.#head];
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    if (form.hot) {
      form.hot = false;
      this.#queue.push(form);
      return;
    }
    form.home.delete(form.key);
    this.#bytes -= form.bytes.length + formOverhead;
  }
}

export type Forms = Map<string, Form>;
