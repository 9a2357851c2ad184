import type { Refusal } from '../fair-queuing/request.ts';
import { Histogram } from './histogram.ts';
import { TimingRatio } from './timing-ratio.ts';

// the buckets are those of apiserver pkg/util/flowcontrol/metrics/metrics.go
const queueLengths = [0, 10, 25, 50, 100, 250, 500, 1000];
const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const watchers = [0, 1, 10, 100, 1000, 10_000];
const estimatedSeats = [1, 2, 4, 8, 16, 32, 64, 100];
const seatUtilization = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestUtilization = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const readVersusWrite = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const seatDemand = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

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
  readonly seatUtilization: TimingRatio;
  readonly waitingUtilization: TimingRatio;
  readonly executingUtilization: TimingRatio;
  readonly demand: TimingRatio;
  nominalLimit = 0;
  lowerLimit = 0;
  upperLimit = 0;
  currentLimit = 0;
  demandHighWatermark = 0;
  demandAverage = 0;
  demandDeviation = 0;
  demandSmoothed = 0;
  target = 0;
  /** Progress meter at its last change, and at the last dispatch; all in units of work.ts. */
  currentR = 0;
  dispatchR = 0;
  /** S of the request dispatched last; bounds of S over the queues at that time, without and with work under way. */
  latestS = 0;
  readonly nextS = { min: 0, max: 0 };
  readonly nextDiscountedS = { min: 0, max: 0 };
  epochAdvances = 0;

  constructor(level: string, now: number) {
    this.level = level;
    this.seatUtilization = new TimingRatio(seatUtilization, now);
    this.waitingUtilization = new TimingRatio(requestUtilization, now);
    this.executingUtilization = new TimingRatio(requestUtilization, now);
    this.demand = new TimingRatio(seatDemand, now);
  }
}

/** How many requests of one kind are under way, all levels together; and how many waited at most in the last second. */
export class KindSeries {
  readonly waiting: TimingRatio;
  readonly executing: TimingRatio;
  #second = 0;
  #most = 0;
  #mostBefore = 0;

  constructor(now: number) {
    this.waiting = new TimingRatio(readVersusWrite, now);
    this.executing = new TimingRatio(readVersusWrite, now);
  }

  noteWaiting(delta: number, now: number): void {
    this.#roll(now);
    this.waiting.add(delta, now);
    this.#most = Math.max(this.#most, this.waiting.numerator);
  }

  /** The most that waited at once in the second that is over, or in this one so far. */
  waitingWatermark(now: number): number {
    this.#roll(now);
    return Math.max(this.#most, this.#mostBefore);
  }

  #roll(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return;
    this.#mostBefore = second === this.#second + 1 ? this.#most : this.waiting.numerator;
    this.#most = this.waiting.numerator;
    this.#second = second;
  }
}
