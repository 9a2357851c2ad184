/** Requests and seats from one time on. */
export interface ConcurrencySample {
  executing: number;
  waiting: number;
  /** Seats of executing requests, and of finished ones that still hold their final seats. */
  seatsInUse: number;
  /** Seats that waiting requests need. */
  waitingSeats: number;
}

/** A sample is a time and four values. */
const sampleWidth = 5;
const firstSize = 8 * sampleWidth;
/** 5 KB. Allocated only for busy priority levels. */
const maxSize = 128 * sampleWidth;

/** @param now time in milliseconds from which the sample holds */
type ReadSample = (now: number, sample: Readonly<ConcurrencySample>) => void;

/**
 * Buffers samples. Each request causes at least two samples, so recording must cost only a few stores. Histograms and
 * averages over time are updated in batches, when the buffer is full or they are read.
 */
export class SampleBuffer {
  #samples = new Float64Array(firstSize);
  readonly #read: ReadSample;
  #used = 0;

  constructor(read: ReadSample) {
    this.#read = read;
  }

  record(now: number, { executing, waiting, seatsInUse, waitingSeats }: Readonly<ConcurrencySample>): void {
    if (this.#used === this.#samples.length) this.#makeRoom();
    const at = this.#used;
    this.#used = at + sampleWidth;
    const samples = this.#samples;
    samples[at] = now;
    samples[at + 1] = executing;
    samples[at + 2] = waiting;
    samples[at + 3] = seatsInUse;
    samples[at + 4] = waitingSeats;
  }

  #makeRoom(): void {
    const { length } = this.#samples;
    if (length >= maxSize) {
      this.flush();
      return;
    }
    const larger = new Float64Array(2 * length);
    larger.set(this.#samples);
    this.#samples = larger;
  }

  /** Reads the buffered samples in order and empties the buffer. */
  flush(): void {
    const samples = this.#samples;
    const sample = { executing: 0, waiting: 0, seatsInUse: 0, waitingSeats: 0 };
    for (let at = 0; at < this.#used; at += sampleWidth) {
      sample.executing = samples[at + 1] ?? 0;
      sample.waiting = samples[at + 2] ?? 0;
      sample.seatsInUse = samples[at + 3] ?? 0;
      sample.waitingSeats = samples[at + 4] ?? 0;
      this.#read(samples[at] ?? 0, sample);
    }
    this.#used = 0;
  }
}
