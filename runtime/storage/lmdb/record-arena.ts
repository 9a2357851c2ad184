const smallest = 64 * 1024;
const largestKept = 8 * 2 ** 20;

/**
 * Memory for the records of one commit, used again for the next: LMDB's thread reads them by address, and a buffer
 * for each would leave as much garbage outside of the heap as there is data.
 */
export class RecordArena {
  #bytes = Buffer.allocUnsafeSlow(smallest);
  #used = 0;

  /** Bytes with anything in them, until `reset`. */
  take(size: number): Buffer {
    if (this.#used + size > this.#bytes.length) {
      // The pieces given out keep the old one.
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(size, Math.min(this.#bytes.length * 2, largestKept)));
      this.#used = 0;
    }
    const piece = this.#bytes.subarray(this.#used, this.#used + size);
    this.#used += size;
    return piece;
  }

  /** What was given out is not needed any more. */
  reset(): void {
    this.#used = 0;
  }

  /** What was given out may still be read by somebody. */
  abandon(): void {
    this.#bytes = Buffer.allocUnsafeSlow(smallest);
    this.#used = 0;
  }
}
