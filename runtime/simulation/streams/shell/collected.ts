import { FileError } from '../container-files.ts';

const smallest = 1024;

/** Collects pieces of any size in one buffer. */
export class Collected {
  readonly #limit: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** @param limit the most bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws FileError beyond the limit */
  add(data: string | Uint8Array): void {
    const length = this.#length + Buffer.byteLength(data);
    if (length > this.#limit) throw new FileError('No space left on device');
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#limit, Math.max(smallest, 2 * this.#bytes.length, length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (typeof data === 'string') this.#bytes.write(data, this.#length);
    else this.#bytes.set(data, this.#length);
    this.#length = length;
  }

  /** The collected bytes, in a buffer of exactly their size. */
  get bytes(): Buffer {
    const isTight = this.#bytes.length - this.#length <= this.#length / 4;
    const bytes = this.#bytes.subarray(0, this.#length);
    return isTight ? bytes : Buffer.from(bytes);
  }
}
