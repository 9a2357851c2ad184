import { Integrator } from './integrator.ts';
import { type ConcurrencySample, SampleBuffer } from './sample-buffer.ts';
import { TimingRatioHistogram } from './timing-ratio-histogram.ts';

// the buckets are those of apiserver pkg/util/flowcontrol/metrics/metrics.go
const seatUtilizationBounds = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestUtilizationBounds = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const seatDemandBounds = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

interface Aggregates {
  /** Executing requests in proportion to the level's concurrency. */
  readonly executing: TimingRatioHistogram;
  /** Waiting requests in proportion to the space in the level's queues. */
  readonly waiting: TimingRatioHistogram;
  /** Seats in use, in proportion to the level's concurrency. */
  readonly seatUtilization: TimingRatioHistogram;
  /** Seat demand in proportion to the level's concurrency. */
  readonly seatDemand: TimingRatioHistogram;
  /** Seat demand since the last borrowing adjustment. */
  readonly seatDemandIntegrator: Integrator;
}

/** Requests and seats of one priority level over time, recorded at each change. */
export class PriorityLevelConcurrency {
  readonly #aggregates: Aggregates;
  readonly #samples: SampleBuffer;

  /** @param now milliseconds; all later calls use the same clock */
  constructor(now: number) {
    const executing = new TimingRatioHistogram(requestUtilizationBounds, now);
    const waiting = new TimingRatioHistogram(requestUtilizationBounds, now);
    const seatUtilization = new TimingRatioHistogram(seatUtilizationBounds, now);
    const seatDemand = new TimingRatioHistogram(seatDemandBounds, now);
    const seatDemandIntegrator = new Integrator(now);
    this.#aggregates = { executing, waiting, seatUtilization, seatDemand, seatDemandIntegrator };
    this.#samples = new SampleBuffer((at, sample) => {
      const demand = sample.seatsInUse + sample.waitingSeats;
      executing.set(sample.executing, at);
      waiting.set(sample.waiting, at);
      seatUtilization.set(sample.seatsInUse, at);
      seatDemand.set(demand, at);
      seatDemandIntegrator.set(demand, at);
    });
  }

  record(now: number, sample: Readonly<ConcurrencySample>): void {
    this.#samples.record(now, sample);
  }

  get aggregates(): Aggregates {
    this.#samples.flush();
    return this.#aggregates;
  }
}
