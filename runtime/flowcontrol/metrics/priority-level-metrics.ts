import { PriorityLevelConcurrency } from './priority-level-concurrency.ts';

/** Gauges of one priority level. Limits and demand are in seats; R and S are in the units of fair-queuing/work.ts. */
export class PriorityLevelMetrics {
  readonly priorityLevel: string;
  readonly concurrency: PriorityLevelConcurrency;
  nominalLimit = 0;
  lowerLimit = 0;
  upperLimit = 0;
  currentLimit = 0;
  demandHighWatermark = 0;
  demandAverage = 0;
  demandStandardDeviation = 0;
  demandSmoothed = 0;
  target = 0;
  /** The progress meter R(t) at its last change. */
  currentR = 0;
  readonly lastDispatch = new DispatchGauges();
  epochAdvances = 0;

  constructor(priorityLevel: string, now: number) {
    this.priorityLevel = priorityLevel;
    this.concurrency = new PriorityLevelConcurrency(now);
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** R and S at the last dispatch, in one piece of memory because every request changes all of them. */
class DispatchGauges {
  readonly #values = new Float64Array(6);

  /**
   * @param r the progress meter
   * @param s the virtual start time of the dispatched request
   */
  recordDispatch(r: number, s: number): void {
    this.#values[0] = r;
    this.#values[1] = s;
  }

  /** Sets the bounds of the queues' next S: first as they are, then without the work under way. */
  recordNextS(min: number, max: number, discountedMin: number, discountedMax: number): void {
    const values = this.#values;
    values[2] = min;
    values[3] = max;
    values[4] = discountedMin;
    values[5] = discountedMax;
  }

  get r(): number {
    return this.#values[0] ?? 0;
  }

  get s(): number {
    return this.#values[1] ?? 0;
  }

  get nextSBounds(): Bounds {
    const [, , min = 0, max = 0] = this.#values;
    return { min, max };
  }

  get nextDiscountedSBounds(): Bounds {
    const [, , , , min = 0, max = 0] = this.#values;
    return { min, max };
  }
}
