import { Writable } from 'node:stream';

/** The most bytes that are kept. (maxReadLength of exec probes: 10 KiB) */
const maxBytes = 10 * 1024;

/** The beginning of what a command prints. */
export class CollectedOutput extends Writable {
  readonly #chunks: Buffer[] = [];
  #left = maxBytes;

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const kept = chunk.subarray(0, this.#left);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#left -= kept.length;
    done();
  }
}
