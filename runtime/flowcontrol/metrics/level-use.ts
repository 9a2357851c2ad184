import { Journal } from './journal.ts';
import { SeatDemand } from './seat-demand.ts';
import { TimingRatio } from './timing-ratio.ts';

// the buckets are those of apiserver pkg/util/flowcontrol/metrics/metrics.go
const seatUtilization = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestUtilization = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const seatDemand = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

/** What is reckoned from one level's use over time. */
interface Reckoned {
  readonly executing: TimingRatio;
  readonly waiting: TimingRatio;
  readonly seats: TimingRatio;
  readonly demand: TimingRatio;
  /** Of the period since it was last asked. */
  readonly moments: SeatDemand;
}

/** How much of one priority level is used, noted at each change. */
export class LevelUse {
  readonly #reckoned: Reckoned;
  readonly #journal: Journal;

  /** @param now milliseconds, as all later ones */
  constructor(now: number) {
    const executing = new TimingRatio(requestUtilization, now);
    const waiting = new TimingRatio(requestUtilization, now);
    const seats = new TimingRatio(seatUtilization, now);
    const demand = new TimingRatio(seatDemand, now);
    const moments = new SeatDemand(now);
    this.#reckoned = { executing, waiting, seats, demand, moments };
    this.#journal = new Journal((at, requests, requestsWaiting, seatsTaken, seatsAsked) => {
      executing.set(requests, at);
      waiting.set(requestsWaiting, at);
      seats.set(seatsTaken, at);
      demand.set(seatsAsked, at);
      moments.set(seatsAsked, at);
    });
  }

  /**
   * @param seats taken, by requests that are executed or linger
   * @param asked those and the ones that waiting requests ask for
   */
  note(now: number, executing: number, waiting: number, seats: number, asked: number): void {
    this.#journal.note(now, executing, waiting, seats, asked);
  }

  /** With all that was noted so far. */
  get reckoned(): Reckoned {
    this.#journal.settle();
    return this.#reckoned;
  }
}
