const minBytes = 64 * 1024;
const maxBytes = 8 * 2 ** 20;

/**
 * Memory for the records of one commit, reused for the next. LMDB's thread reads records by address. A buffer for each
 * would leave as much garbage outside of the heap as there is data.
 */
export class RecordArena {
  #bytes = Buffer.allocUnsafeSlow(minBytes);
  #used = 0;

  /** Allocates uninitialized bytes that are valid until `reset`. */
  allocate(size: number): Buffer {
    if (this.#used + size > this.#bytes.length) {
      // the old buffer lives as long as its views
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(size, Math.min(this.#bytes.length * 2, maxBytes)));
      this.#used = 0;
    }
    const piece = this.#bytes.subarray(this.#used, this.#used + size);
    this.#used += size;
    return piece;
  }

  /** Makes the memory reusable, because its records are no longer needed. */
  reset(): void {
    this.#used = 0;
  }

  /** Takes other memory, because LMDB may still read the records. */
  abandon(): void {
    this.#bytes = Buffer.allocUnsafeSlow(minBytes);
    this.#used = 0;
  }
}
