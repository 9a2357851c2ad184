import type { Refusal } from '../fair-queuing/request.ts';
import { Histogram } from './histogram.ts';
import { LevelUse } from './level-use.ts';

// the buckets are those of apiserver pkg/util/flowcontrol/metrics/metrics.go
const queueLengths = [0, 10, 25, 50, 100, 250, 500, 1000];
const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const watchers = [0, 1, 10, 100, 1000, 10_000];
const estimatedSeats = [1, 2, 4, 8, 16, 32, 64, 100];

/** Counts of one FlowSchema at one priority level. */
export class FlowSeries {
  readonly level: string;
  readonly schema: string;
  readonly rejected: Partial<Record<Refusal, number>> = {};
  dispatched = 0;
  waitingRequests = 0;
  waitingSeats = 0;
  executingRequests = 0;
  executingSeats = 0;
  noAccommodation = 0;
  readonly queueLength = new Histogram(queueLengths);
  readonly waitOfExecuted = new Histogram(seconds);
  readonly waitOfRefused = new Histogram(seconds);
  readonly execution = new Histogram(seconds);
  readonly watchInitialization = new Histogram(seconds);
  readonly watchers = new Histogram(watchers);
  readonly estimatedSeats = new Histogram(estimatedSeats);

  constructor(level: string, schema: string) {
    this.level = level;
    this.schema = schema;
  }

  refuse(refusal: Refusal): void {
    this.rejected[refusal] = (this.rejected[refusal] ?? 0) + 1;
  }

  /** False until a request came, and then for good. */
  get used(): boolean {
    return this.estimatedSeats.total > 0;
  }
}

/** What is known of one priority level's seats, besides the counts of its flows. */
export class LevelSeries {
  readonly level: string;
  readonly use: LevelUse;
  nominalLimit = 0;
  lowerLimit = 0;
  upperLimit = 0;
  currentLimit = 0;
  demandHighWatermark = 0;
  demandAverage = 0;
  demandDeviation = 0;
  demandSmoothed = 0;
  target = 0;
  /** The progress meter at its last change, in units of work.ts. */
  currentR = 0;
  readonly dispatch = new DispatchGauges();
  epochAdvances = 0;

  constructor(level: string, now: number) {
    this.level = level;
    this.use = new LevelUse(now);
  }
}

/** Meters at the last dispatch, in units of work.ts; in one piece of memory, since every request changes all of them. */
export class DispatchGauges {
  readonly #meters = new Float64Array(6);

  /**
   * @param r the progress meter
   * @param s virtual start of what is dispatched; then the bounds of S over the queues, without and with work under way
   */
  note(r: number, s: number, min: number, max: number, discountedMin: number, discountedMax: number): void {
    const meters = this.#meters;
    meters[0] = r;
    meters[1] = s;
    meters[2] = min;
    meters[3] = max;
    meters[4] = discountedMin;
    meters[5] = discountedMax;
  }

  get r(): number {
    return this.#meters[0];
  }

  get s(): number {
    return this.#meters[1];
  }

  get bounds(): { readonly min: number; readonly max: number } {
    return { min: this.#meters[2], max: this.#meters[3] };
  }

  get discountedBounds(): { readonly min: number; readonly max: number } {
    return { min: this.#meters[4], max: this.#meters[5] };
  }
}
