interface Form {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly home: Map<string, Form>;
  /** Asked for since the last look. */
  hot: boolean;
}

/** How many are looked at for one that is not hot before a hot one goes. */
const looks = 8;

/** Beside its bytes, what keeping a form costs, about. */
const formOverhead = 500;

/**
 * Other encodings of objects, within one budget for all. What goes is chosen by chance from those not asked for since
 * they were looked at last: of a list larger than the budget, read again and again, a part stays. In the order of
 * making or asking, each would go just before it is asked for.
 */
export class FormCache {
  readonly #budget: number;
  readonly #kept: Form[] = [];
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
    const bytes = ownMemory(make());
    const size = bytes.length + formOverhead;
    // One that would push out a large part of the others is not worth keeping.
    if (size > this.#budget / 8) return bytes;
    const form: Form = { key, bytes, home, hot: false };
    home.set(key, form);
    while (this.#bytes + size > this.#budget) this.#evict();
    this.#kept.push(form);
    this.#bytes += size;
    return bytes;
  }

  #evict(): void {
    const kept = this.#kept;
    let at = Math.floor(Math.random() * kept.length);
    for (let look = 0; look < looks && kept[at].hot; look += 1) {
      kept[at].hot = false;
      at = (at + 1) % kept.length;
    }
    const form = kept[at];
    kept[at] = kept[kept.length - 1];
    kept.pop();
    form.home.delete(form.key);
    this.#bytes -= form.bytes.length + formOverhead;
  }
}

/** A piece of a larger buffer would keep all of it. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

export type Forms = Map<string, Form>;
