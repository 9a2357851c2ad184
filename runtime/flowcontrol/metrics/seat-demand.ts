/** Moments of the demand over one period. */
export interface DemandSummary {
  /** Seconds. */
  readonly duration: number;
  /** Over time; 0 for an empty period. */
  readonly average: number;
  readonly deviation: number;
  readonly max: number;
}

/**
 * How many seats a priority level could use: the integrals of the number and of its square over time, since the last
 * `summarize`. (apiserver pkg/util/flowcontrol/fairqueuing/integrator.go)
 */
export class SeatDemand {
  #since: number;
  #value = 0;
  #max = 0;
  #elapsed = 0;
  #integral = 0;
  #squares = 0;

  /** @param now milliseconds, as all later ones */
  constructor(now: number) {
    this.#since = now;
  }

  set(value: number, now: number): void {
    if (value === this.#value) return;
    this.#settle(now);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** What was, and begins anew. */
  summarize(now: number): DemandSummary {
    this.#settle(now);
    const duration = this.#elapsed / 1000;
    const average = this.#elapsed > 0 ? this.#integral / this.#elapsed : 0;
    const variance = this.#elapsed > 0 ? this.#squares / this.#elapsed - average * average : 0;
    const summary = { duration, average, deviation: Math.sqrt(Math.max(0, variance)), max: this.#max };
    this.#max = this.#value;
    this.#elapsed = 0;
    this.#integral = 0;
    this.#squares = 0;
    return summary;
  }

  #settle(now: number): void {
    const passed = now - this.#since;
    if (passed <= 0) return;
    this.#since = now;
    this.#elapsed += passed;
    this.#integral += this.#value * passed;
    this.#squares += this.#value * this.#value * passed;
  }
}
