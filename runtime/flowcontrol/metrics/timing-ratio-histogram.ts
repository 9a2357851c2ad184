import type { Buckets } from '../../machinery/metrics/exposition.ts';
import { Histogram } from './histogram.ts';

const nanosecondsPerMs = 1e6;

/** Numerators below this are common: the time spent at each is added up, and put into buckets only on demand. */
const commonNumerators = 64;

/**
 * A ratio as if observed after every nanosecond: each value has the weight of the time it lasted.
 * (apiserver pkg/util/flowcontrol/metrics/timing_ratio_histogram.go)
 */
export class TimingRatioHistogram {
  readonly #histogram: Histogram;
  /** Milliseconds by numerator, up to the greatest common one so far. */
  #durations = new Float64Array(4);
  #numerator = 0;
  #denominator = 1;
  #lastTime: number;

  /** @param now milliseconds; all later calls use the same clock */
  constructor(bounds: readonly number[], now: number) {
    this.#histogram = new Histogram(bounds);
    this.#lastTime = now;
  }

  /** @param numerator a whole number */
  set(numerator: number, now: number): void {
    if (numerator === this.#numerator) return;
    this.#update(now);
    this.#numerator = numerator;
  }

  /** @param denominator greater than 0 */
  setDenominator(denominator: number, now: number): void {
    this.#flush(now);
    this.#denominator = denominator;
  }

  /** The buckets up to now. */
  bucketsAt(now: number): Buckets {
    this.#flush(now);
    return this.#histogram.buckets;
  }

  #update(now: number): void {
    const elapsed = now - this.#lastTime;
    if (elapsed <= 0) return;
    this.#lastTime = now;
    if (this.#numerator >= commonNumerators) this.#observe(this.#numerator, elapsed);
    else {
      const durations = this.#durationsTo(this.#numerator);
      durations[this.#numerator] = (durations[this.#numerator] ?? 0) + elapsed;
    }
  }

  #durationsTo(numerator: number): Float64Array {
    if (numerator < this.#durations.length) return this.#durations;
    const more = new Float64Array(commonNumerators);
    more.set(this.#durations);
    this.#durations = more;
    return more;
  }

  #flush(now: number): void {
    this.#update(now);
    for (const [numerator, duration] of this.#durations.entries()) {
      if (duration > 0) this.#observe(numerator, duration);
    }
    this.#durations.fill(0);
  }

  #observe(numerator: number, duration: number): void {
    this.#histogram.observeWithWeight(numerator / this.#denominator, duration * nanosecondsPerMs);
  }
}
