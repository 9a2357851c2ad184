import { Journal } from './journal.ts';
import { TimingRatio } from './timing-ratio.ts';

// the buckets are those of apiserver pkg/util/flowcontrol/metrics/metrics.go
const readVersusWrite = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];

/** What is reckoned from the requests of one kind over time. */
interface Reckoned {
  readonly executing: TimingRatio;
  readonly waiting: TimingRatio;
}

/** How many requests of one kind are under way, all levels together; and how many were at most in the last second. */
export class KindUse {
  readonly #reckoned: Reckoned;
  readonly #journal: Journal;
  #executing = 0;
  #waiting = 0;
  readonly #mostExecuting = new WatermarkOfSeconds();
  readonly #mostWaiting = new WatermarkOfSeconds();

  /** @param now milliseconds, as all later ones */
  constructor(now: number) {
    const executing = new TimingRatio(readVersusWrite, now);
    const waiting = new TimingRatio(readVersusWrite, now);
    this.#reckoned = { executing, waiting };
    this.#journal = new Journal((at, requests, requestsWaiting) => {
      executing.set(requests, at);
      waiting.set(requestsWaiting, at);
      this.#mostExecuting.set(requests, at);
      this.#mostWaiting.set(requestsWaiting, at);
    });
  }

  addExecuting(delta: number, now: number): void {
    this.#executing += delta;
    this.#note(now);
  }

  addWaiting(delta: number, now: number): void {
    this.#waiting += delta;
    this.#note(now);
  }

  /** With all that was noted so far. */
  get reckoned(): Reckoned {
    this.#journal.settle();
    return this.#reckoned;
  }

  /** The most that were executed at once in the second that is over, or in this one so far. */
  executingWatermark(now: number): number {
    this.#journal.settle();
    return this.#mostExecuting.at(now);
  }

  /** The most that waited. */
  waitingWatermark(now: number): number {
    this.#journal.settle();
    return this.#mostWaiting.at(now);
  }

  #note(now: number): void {
    this.#journal.note(now, this.#executing, this.#waiting, 0, 0);
  }
}

/** The highest value of a second and of the one before. */
class WatermarkOfSeconds {
  #value = 0;
  #second = 0;
  #most = 0;
  #mostBefore = 0;

  set(value: number, now: number): void {
    this.#roll(now);
    this.#value = value;
    this.#most = Math.max(this.#most, value);
  }

  at(now: number): number {
    this.#roll(now);
    return Math.max(this.#most, this.#mostBefore);
  }

  #roll(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return;
    this.#mostBefore = second === this.#second + 1 ? this.#most : this.#value;
    this.#most = this.#value;
    this.#second = second;
  }
}
