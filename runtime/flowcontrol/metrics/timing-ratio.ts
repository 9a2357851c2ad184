import { Histogram } from './histogram.ts';

const nanosecondsPerMs = 1e6;

/**
 * A ratio that is looked at after every nanosecond: a histogram in which each value counts as long as it lasted.
 * (apiserver pkg/util/flowcontrol/metrics/timing_ratio_histogram.go)
 */
export class TimingRatio {
  readonly #histogram: Histogram;
  #numerator = 0;
  #denominator = 1;
  #ratio = 0;
  #since: number;

  /** @param now milliseconds, of the clock that all later calls use */
  constructor(bounds: readonly number[], now: number) {
    this.#histogram = new Histogram(bounds);
    this.#since = now;
  }

  get numerator(): number {
    return this.#numerator;
  }

  set(numerator: number, now: number): void {
    this.#settle(now);
    this.#numerator = numerator;
    this.#ratio = numerator / this.#denominator;
  }

  add(delta: number, now: number): void {
    this.set(this.#numerator + delta, now);
  }

  /** @param denominator greater than 0 */
  setDenominator(denominator: number, now: number): void {
    this.#settle(now);
    this.#denominator = denominator;
    this.#ratio = this.#numerator / denominator;
  }

  render(name: string, labels: string, now: number): string[] {
    this.#settle(now);
    return this.#histogram.render(name, labels);
  }

  #settle(now: number): void {
    if (now <= this.#since) return;
    this.#histogram.add(this.#ratio, (now - this.#since) * nanosecondsPerMs);
    this.#since = now;
  }
}
