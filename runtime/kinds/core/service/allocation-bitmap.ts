/** The items of a range that are in use. (pkg/registry/core/service/allocator/bitmap.go) */
export class AllocationBitmap {
  /** The bit of item n is bit n % 8 of byte n / 8. */
  readonly #bits: Uint8Array;
  readonly size: number;

  constructor(size: number) {
    this.size = size;
    this.#bits = new Uint8Array(Math.ceil(size / 8));
  }

  /** @param data from the getter `data`; items beyond the range are dropped */
  static of(size: number, data: Uint8Array): AllocationBitmap {
    const bitmap = new AllocationBitmap(size);
    for (const [index, byte] of data.toReversed().subarray(0, bitmap.#bits.length).entries()) {
      bitmap.#bits[index] = byte;
    }
    for (let item = size; item < bitmap.#bits.length * 8; item++) bitmap.release(item);
    return bitmap;
  }

  has(item: number): boolean {
    return ((this.#bits[item >> 3] ?? 0) & (1 << (item & 7))) !== 0;
  }

  allocate(item: number): void {
    this.#bits[item >> 3] = (this.#bits[item >> 3] ?? 0) | (1 << (item & 7));
  }

  release(item: number): void {
    this.#bits[item >> 3] = (this.#bits[item >> 3] ?? 0) & ~(1 << (item & 7));
  }

  *items(): Iterable<number> {
    for (let item = 0; item < this.size; item++) if (this.has(item)) yield item;
  }

  /** Returns a number in as few bytes as possible, the most significant first. (big.Int.Bytes) */
  get data(): Uint8Array {
    const last = this.#bits.findLastIndex((byte) => byte !== 0);
    return this.#bits.slice(0, last + 1).reverse();
  }
}
