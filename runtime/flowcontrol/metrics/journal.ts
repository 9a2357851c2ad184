/** Rows of a journal that are kept until they are read, and numbers of a row: the moment and four more; 5 KB. */
const rows = 128;
const width = 5;

/** @param now milliseconds, from which on the four hold */
type Reader = (now: number, a: number, b: number, c: number, d: number) => void;

/**
 * Numbers that hold from a moment on. Each request changes some of them twice: to note them is a few stores. What follows
 * for histograms and averages is reckoned later, for many rows at once: when the journal is full, or when somebody asks.
 */
export class Journal {
  readonly #noted = new Float64Array(rows * width);
  readonly #read: Reader;
  #used = 0;

  constructor(read: Reader) {
    this.#read = read;
  }

  note(now: number, a: number, b: number, c: number, d: number): void {
    if (this.#used === this.#noted.length) this.settle();
    const at = this.#used;
    this.#used = at + width;
    const noted = this.#noted;
    noted[at] = now;
    noted[at + 1] = a;
    noted[at + 2] = b;
    noted[at + 3] = c;
    noted[at + 4] = d;
  }

  /** Reads what was noted, in its order, and forgets it. */
  settle(): void {
    const noted = this.#noted;
    for (let at = 0; at < this.#used; at += width)
      this.#read(noted[at], noted[at + 1], noted[at + 2], noted[at + 3], noted[at + 4]);
    this.#used = 0;
  }
}
