const blockBytes = 512 * 1024;
/** Values of this size and larger get their own buffers. */
const minOwnBuffer = 64 * 1024;

/**
 * Allocates memory for values that are read together, as views of blocks. A buffer for each value would fragment memory
 * that the allocator does not return. A retained value retains its block.
 */
export class ReadBuffers {
  #block: Uint8Array = new Uint8Array();
  #used = 0;

  readonly allocate = (size: number): Uint8Array => {
    if (size >= minOwnBuffer) return new Uint8Array(size);
    if (this.#used + size > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#used = 0;
    }
    this.#used += size;
    return this.#block.subarray(this.#used - size, this.#used);
  };
}
