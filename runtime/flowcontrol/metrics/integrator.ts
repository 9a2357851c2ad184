/** Statistics of a value over one period. (fairqueuing.IntegratorResults) */
export interface IntegratorResults {
  /** Seconds. */
  readonly duration: number;
  /** Average over time; 0 for an empty period. */
  readonly average: number;
  /** Standard deviation over time; 0 for an empty period. */
  readonly deviation: number;
  readonly max: number;
}

/**
 * Integrates a value and its square over time, for the average and the standard deviation since the last reset.
 * (apiserver pkg/util/flowcontrol/fairqueuing/integrator.go)
 */
export class Integrator {
  #lastTime: number;
  #value = 0;
  #max = 0;
  #elapsed = 0;
  #integral = 0;
  #integralOfSquares = 0;

  /** @param now milliseconds; all later calls use the same clock */
  constructor(now: number) {
    this.#lastTime = now;
  }

  set(value: number, now: number): void {
    if (value === this.#value) return;
    this.#update(now);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** Returns the results of the period that ends now, and starts the next one. */
  reset(now: number): IntegratorResults {
    this.#update(now);
    const duration = this.#elapsed / 1000;
    const average = this.#elapsed > 0 ? this.#integral / this.#elapsed : 0;
    const variance = this.#elapsed > 0 ? this.#integralOfSquares / this.#elapsed - average * average : 0;
    const results = { duration, average, deviation: Math.sqrt(Math.max(0, variance)), max: this.#max };
    this.#max = this.#value;
    this.#elapsed = 0;
    this.#integral = 0;
    this.#integralOfSquares = 0;
    return results;
  }

  #update(now: number): void {
    const elapsed = now - this.#lastTime;
    if (elapsed <= 0) return;
    this.#lastTime = now;
    this.#elapsed += elapsed;
    this.#integral += this.#value * elapsed;
    this.#integralOfSquares += this.#value * this.#value * elapsed;
  }
}
