import type { Buckets } from '../../observe/exposition.ts';
import { Histogram } from './histogram.ts';

const nanosecondsPerMs = 1e6;

/** Numerators that are common: the time that each of them lasts is kept apart, and is no matter of buckets until asked. */
const common = 64;

/**
 * A ratio that is looked at after every nanosecond: a histogram in which each value counts as long as it lasted.
 * (apiserver pkg/util/flowcontrol/metrics/timing_ratio_histogram.go)
 */
export class TimingRatio {
  readonly #histogram: Histogram;
  /** Milliseconds by numerator. */
  readonly #lasted = new Float64Array(common);
  #numerator = 0;
  #denominator = 1;
  #since: number;

  /** @param now milliseconds, of the clock that all later calls use */
  constructor(bounds: readonly number[], now: number) {
    this.#histogram = new Histogram(bounds);
    this.#since = now;
  }

  /** @param numerator a whole number */
  set(numerator: number, now: number): void {
    if (numerator === this.#numerator) return;
    this.#pass(now);
    this.#numerator = numerator;
  }

  /** @param denominator greater than 0 */
  setDenominator(denominator: number, now: number): void {
    this.#settle(now);
    this.#denominator = denominator;
  }

  /** What it holds until now. */
  bucketsAt(now: number): Buckets {
    this.#settle(now);
    return this.#histogram.buckets;
  }

  #pass(now: number): void {
    const passed = now - this.#since;
    if (passed <= 0) return;
    this.#since = now;
    if (this.#numerator < common) this.#lasted[this.#numerator] += passed;
    else this.#observe(this.#numerator, passed);
  }

  #settle(now: number): void {
    this.#pass(now);
    for (let numerator = 0; numerator < common; numerator++) {
      const lasted = this.#lasted[numerator];
      if (lasted > 0) this.#observe(numerator, lasted);
    }
    this.#lasted.fill(0);
  }

  #observe(numerator: number, lasted: number): void {
    this.#histogram.add(numerator / this.#denominator, lasted * nanosecondsPerMs);
  }
}
