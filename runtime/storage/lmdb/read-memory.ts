const blockBytes = 512 * 1024;
const ownBlock = 64 * 1024;

/**
 * Memory for values that are read together: pieces of blocks. A buffer for each would, once a large store is loaded,
 * leave as many holes behind as there are objects, which the allocator does not give back. A value that is kept keeps
 * its block.
 */
export class ReadMemory {
  #block: Uint8Array = new Uint8Array();
  #used = 0;

  readonly take = (size: number): Uint8Array => {
    if (size >= ownBlock) return new Uint8Array(size);
    if (this.#used + size > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#used = 0;
    }
    this.#used += size;
    return this.#block.subarray(this.#used - size, this.#used);
  };
}
