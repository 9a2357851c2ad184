/** A set of small integers with a fixed capacity. */
export class BitSet {
  readonly #words: Uint32Array;

  constructor(capacity: number) {
    this.#words = new Uint32Array(Math.ceil(capacity / 32));
  }

  has(bit: number): boolean {
    return (this.#words[bit >>> 5] & (1 << (bit & 31))) !== 0;
  }

  toggle(bit: number): void {
    this.#words[bit >>> 5] ^= 1 << (bit & 31);
  }

  /** Returns a key that is equal only for equal sets. */
  key(): string {
    return this.#words.join();
  }
}
