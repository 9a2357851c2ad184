import { type ConcurrencySample, SampleBuffer } from './sample-buffer.ts';
import { TimingRatioHistogram } from './timing-ratio-histogram.ts';

// the buckets are those of apiserver pkg/util/flowcontrol/metrics/metrics.go
const ratioBounds = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];

interface RatioHistograms {
  readonly executing: TimingRatioHistogram;
  readonly waiting: TimingRatioHistogram;
}

/**
 * The number of requests of one kind (mutating or read-only) in all priority levels, and its high watermark.
 * (metrics.ReadWriteConcurrencyGaugeVec)
 */
export class RequestKindConcurrency {
  readonly #ratios: RatioHistograms;
  readonly #samples: SampleBuffer;
  readonly #current: ConcurrencySample = { executing: 0, waiting: 0, seatsInUse: 0, waitingSeats: 0 };
  readonly #executingWatermark = new HighWatermark();
  readonly #waitingWatermark = new HighWatermark();

  /** @param now milliseconds; all later calls use the same clock */
  constructor(now: number) {
    const executing = new TimingRatioHistogram(ratioBounds, now);
    const waiting = new TimingRatioHistogram(ratioBounds, now);
    this.#ratios = { executing, waiting };
    this.#samples = new SampleBuffer((at, sample) => {
      executing.set(sample.executing, at);
      waiting.set(sample.waiting, at);
      this.#executingWatermark.set(sample.executing, at);
      this.#waitingWatermark.set(sample.waiting, at);
    });
  }

  addExecuting(delta: number, now: number): void {
    this.#current.executing += delta;
    this.#samples.record(now, this.#current);
  }

  addWaiting(delta: number, now: number): void {
    this.#current.waiting += delta;
    this.#samples.record(now, this.#current);
  }

  /** Requests in proportion to the limits of all priority levels together. */
  get ratios(): RatioHistograms {
    this.#samples.flush();
    return this.#ratios;
  }

  /** The most requests that executed at once during the last second and the current one. */
  executingWatermark(now: number): number {
    this.#samples.flush();
    return this.#executingWatermark.at(now);
  }

  /** The most requests that waited at once during the last second and the current one. */
  waitingWatermark(now: number): number {
    this.#samples.flush();
    return this.#waitingWatermark.at(now);
  }
}

/** The highest value of the current second and of the one before. */
class HighWatermark {
  #value = 0;
  #second = 0;
  #max = 0;
  #previousMax = 0;

  set(value: number, now: number): void {
    this.#advance(now);
    this.#value = value;
    this.#max = Math.max(this.#max, value);
  }

  at(now: number): number {
    this.#advance(now);
    return Math.max(this.#max, this.#previousMax);
  }

  #advance(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return;
    this.#previousMax = second === this.#second + 1 ? this.#max : this.#value;
    this.#max = this.#value;
    this.#second = second;
  }
}
