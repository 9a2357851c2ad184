/** A sample is a time and four values; 128 samples take 5 KB. */
const sampleCount = 128;
const sampleWidth = 5;

/** @param now time in milliseconds from which the four values hold */
type ReadSample = (now: number, a: number, b: number, c: number, d: number) => void;

/**
 * Buffers samples of values that change over time. Each request changes such values at least twice, so recording must
 * cost no more than a few stores. The histograms and averages over time that derive from the samples are updated in
 * batches, when the buffer is full or when somebody reads them.
 */
export class SampleBuffer {
  readonly #samples = new Float64Array(sampleCount * sampleWidth);
  readonly #read: ReadSample;
  #used = 0;

  constructor(read: ReadSample) {
    this.#read = read;
  }

  record(now: number, a: number, b: number, c: number, d: number): void {
    if (this.#used === this.#samples.length) this.flush();
    const at = this.#used;
    this.#used = at + sampleWidth;
    const samples = this.#samples;
    samples[at] = now;
    samples[at + 1] = a;
    samples[at + 2] = b;
    samples[at + 3] = c;
    samples[at + 4] = d;
  }

  /** Reads the buffered samples in order and empties the buffer. */
  flush(): void {
    const samples = this.#samples;
    for (let at = 0; at < this.#used; at += sampleWidth)
      this.#read(samples[at], samples[at + 1], samples[at + 2], samples[at + 3], samples[at + 4]);
    this.#used = 0;
  }
}
